package io.duroxide.runtime;

import io.duroxide.model.NodeOffer;
import io.duroxide.model.Semver;
import io.duroxide.provider.Need;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.Stranded;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WaitingWork;
import io.duroxide.telemetry.StorageEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the store that this node lives and what it can run, and looks for ready work that no live
 * node can run. Nothing is decided by it; people are told. Thread-safe.
 */
final class Lookout {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.housekeeping");

  /** A node that missed this many announcements counts as gone. */
  private static final int MISSED = 3;

  /** What nobody runs gathers at the head of a queue, so a look need not go further than this. */
  private static final int LOOKED_AT = 10_000;

  private final String nodeId;
  private final Provider provider;
  private final Signals signals;
  private final NodeOffer offer;
  private final Duration validFor;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean left;

  Lookout(RuntimeParts parts) {
    this.nodeId = parts.runtimeId();
    this.provider = parts.provider();
    this.signals = parts.signals();
    this.offer = offer(parts);
    this.validFor = parts.options().announceInterval().multipliedBy(MISSED);
  }

  private static NodeOffer offer(RuntimeParts parts) {
    RuntimeOptions options = parts.options();
    boolean turns = options.orchestrationConcurrency() > 0;
    TagFilter tags = options.tags();
    return NodeOffer.of(
        turns ? options.supportedReplayVersions() : List.of(),
        turns ? versions(parts.orchestrations()) : Map.of(),
        options.workerConcurrency() > 0 ? parts.activities().names() : Set.of(),
        tags.admits(null),
        switch (tags) {
          case TagFilter.DefaultOnly none -> Set.of();
          case TagFilter.None none -> Set.of();
          case TagFilter.Tags some -> some.tags();
          case TagFilter.DefaultAnd some -> some.tags();
          case TagFilter.Any any -> null;
        });
  }

  private static Map<String, Set<String>> versions(OrchestrationRegistry registry) {
    Map<String, Set<String>> versions = new HashMap<>();
    for (String name : registry.names()) {
      versions.put(
          name, registry.versions(name).stream().map(Semver::toString).collect(Collectors.toSet()));
    }
    return versions;
  }

  /** Announces the node, then looks. */
  void turn() {
    if (announced()) {
      provider.management().ifPresent(this::look);
    }
  }

  private boolean announced() {
    lock.lock();
    try {
      if (!left) {
        provider.announce(nodeId, offer, validFor);
      }
      return !left;
    } finally {
      lock.unlock();
    }
  }

  private void look(ProviderAdmin store) {
    List<WaitingWork> waiting = store.waitingWork(LOOKED_AT, 1);
    if (signals.listening()) {
      signals.listener().on(byTag(waiting));
    }
    signals.stranded(Stranded.among(waiting, store.nodes()));
  }

  private static StorageEvent byTag(List<WaitingWork> waiting) {
    Map<String, Long> counts = new HashMap<>();
    for (WaitingWork work : waiting) {
      if (work.need() instanceof Need.Run run) {
        String tag = run.tag() == null ? StorageEvent.Waiting.NO_TAG : run.tag();
        counts.merge(tag, work.count(), Long::sum);
      }
    }
    return new StorageEvent.Waiting(counts);
  }

  static StorageEvent told(List<Stranded> found) {
    long turns = 0;
    long activities = 0;
    for (Stranded stranded : found) {
      switch (stranded.work().need()) {
        case Need.Turn turn -> turns += stranded.work().count();
        case Need.Run run -> activities += stranded.work().count();
      }
    }
    return new StorageEvent.Stranded(turns, activities);
  }

  /** The node ends; it announces itself no more. */
  void leave() {
    lock.lock();
    try {
      left = true;
      provider.announce(nodeId, offer, Duration.ZERO);
    } catch (RuntimeException | Error e) {
      LOG.debug("could not sign off, the announcement ends by itself: {}", e.getMessage());
    } finally {
      lock.unlock();
    }
  }
}
