package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LocalBus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What stands before and behind a lane: turns as callers know them. Thread-safe. */
final class Turns {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");

  private final Reads reads;
  private final Lanes lanes;
  private final Tokens tokens;
  private final LocalBus bus;

  Turns(Reads reads, Lanes lanes, Tokens tokens, LocalBus bus) {
    this.reads = reads;
    this.lanes = lanes;
    this.tokens = tokens;
    this.bus = bus;
  }

  /** Decodes fetched turns, with as much of their past as the caller does not have. */
  List<LockedOrchestration> read(List<RawTurn> turns, CachedHistory cached) {
    List<LockedOrchestration> locked = new ArrayList<>(turns.size());
    try {
      for (RawTurn turn : turns) {
        locked.add(turn.decoded(past(turn, cached)));
      }
      return locked;
    } catch (ProviderException failure) {
      turns.forEach(this::release);
      throw failure;
    }
  }

  private RawTurn.Past past(RawTurn turn, CachedHistory cached) {
    long kept = turn.begins() ? 0 : kept(turn, cached.tip(turn.execution()));
    RawTurn.Past known = turn.past();
    if (known != null) {
      return kept == 0 ? known : known.after(kept);
    }
    return kept > 0 && kept == turn.lastEvent()
        ? new RawTurn.Past(kept, List.of(), Map.of())
        : load(turn, kept);
  }

  /** One instance that does not fit into memory keeps no other from being fetched. */
  private RawTurn.Past load(RawTurn turn, long kept) {
    try {
      return reads.past(turn, kept);
    } catch (OutOfMemoryError tooLarge) {
      return RawTurn.Past.failed(tooLarge);
    }
  }

  /** The caller's newest event, if it is one of this very instance and not of a namesake's. */
  private static long kept(RawTurn turn, CachedHistory.@Nullable Tip tip) {
    if (tip == null) {
      return 0;
    }
    Tokens.Turn commit = Tokens.turn(tip.commitToken());
    boolean same = commit != null && commit.key() == turn.lock().key();
    return same && tip.lastEventId() <= turn.lastEvent() ? Math.max(0, tip.lastEventId()) : 0;
  }

  /** A fetch that fails leaves no lock and counts no attempt. */
  private void release(RawTurn turn) {
    try {
      lanes.call(KeepTurn.abandon(turn.lock().text(), Duration.ZERO, true));
    } catch (ProviderException expires) {
      LOG.debug("could not release {}: {}", turn.lock().instance(), expires.getMessage());
    }
  }

  /** Commits a turn if its source allows it. */
  Optional<CommittedTurn> commit(TurnSource source, TurnCommit commit, WorkClaim claim) {
    return switch (source) {
      case TurnSource.Fetched fetched -> held(fetched.lockToken(), commit, claim);
      case TurnSource.AfterActivity step -> after(step, commit, claim);
      case TurnSource.NewInstance begun -> first(begun.start().instance(), commit, claim);
    };
  }

  private Optional<CommittedTurn> held(String token, TurnCommit commit, WorkClaim claim) {
    Tokens.Turn lock = Tokens.turn(CommitTurn.OPERATION, token);
    TurnParts parts = parts(lock, commit);
    List<Order> orders = Order.of(lock.instance(), commit, parts, claim, tokens);
    TurnCommit listed = listed(lock, commit);
    Optional<CommittedTurn> committed =
        lanes.call(new CommitTurn(lock, null, listed, parts, orders));
    bus.committed(lock.instance(), commit);
    return committed;
  }

  /**
   * The commit with the names of all activities that it cancels. They can be asked for beforehand:
   * whoever has the lock of the instance is the only one who adds to them.
   */
  private TurnCommit listed(Tokens.Turn lock, TurnCommit commit) {
    if (!commit.cancelled().wholeExecution()) {
      return commit;
    }
    Set<ActivityKey> all = new LinkedHashSet<>(commit.cancelledActivities());
    commit.workerItems().stream()
        .filter(WorkItem.ActivityExecute.class::isInstance)
        .map(item -> ((WorkItem.ActivityExecute) item).key())
        .filter(key -> key.executionId() == commit.executionId())
        .filter(key -> key.instance().equals(lock.instance()))
        .forEach(all::add);
    all.addAll(reads.activities(lock, commit.executionId()));
    return commit.withCancelledActivities(List.copyOf(all));
  }

  /** A commit as it is stored. What no store could accept is told only to whoever has the lock. */
  private TurnParts parts(Tokens.Turn lock, TurnCommit commit) {
    try {
      return TurnParts.of(CommitTurn.OPERATION, commit);
    } catch (ProviderException notStorable) {
      if (!reads.isHeld(lock)) {
        throw Refusal.lockLost(CommitTurn.OPERATION, lock.text());
      }
      throw notStorable;
    }
  }

  /** Ends an activity together with the turn it causes, if possible. */
  private Optional<CommittedTurn> after(
      TurnSource.AfterActivity step, TurnCommit commit, WorkClaim claim) {
    Tokens.Work activity = Tokens.work(CommitTurn.OPERATION, step.workToken());
    Tokens.Turn tip = Tokens.turn(step.tip().commitToken());
    if (tip == null || !tip.instance().equals(step.execution().instance())) {
      return Optional.empty();
    }
    TurnCommit turn = listed(tip, commit);
    TurnParts parts = TurnParts.of(CommitTurn.OPERATION, turn);
    List<Order> orders = Order.of(tip.instance(), turn, parts, claim, tokens);
    Tokens.Turn name = new Tokens.Turn(tip.key(), tokens.secret(), tip.instance());
    Optional<CommittedTurn> committed =
        lanes.call(
            new CommitTurn(
                name,
                new CommitTurn.Step(activity, tip, step.tip().lastEventId()),
                turn,
                parts,
                orders));
    committed.ifPresent(any -> bus.committed(tip.instance(), turn));
    return committed;
  }

  /** Stores a new instance with its first turn, if possible. */
  private Optional<CommittedTurn> first(String instance, TurnCommit turn, WorkClaim claim) {
    TurnParts parts = TurnParts.of(CommitTurn.OPERATION, turn);
    List<Order> orders = Order.of(instance, turn, parts, claim, tokens);
    Tokens.Turn name = Tokens.Turn.ofNew(tokens.secret(), instance);
    CommitTurn first = new CommitTurn(name, null, turn, parts, orders);
    if (!first.isFirst()) {
      lanes.checkOpen(CommitTurn.OPERATION);
      return Optional.empty();
    }
    Optional<CommittedTurn> begun = lanes.call(first);
    begun.ifPresent(any -> bus.committed(instance, turn));
    return begun;
  }
}
