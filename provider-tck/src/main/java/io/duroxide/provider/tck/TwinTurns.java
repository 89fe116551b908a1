package io.duroxide.provider.tck;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.tck.Twins.Answers;
import io.duroxide.provider.tck.Twins.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Messages and turns of two stores. */
final class TwinTurns {
  private static final Duration LOCK = Duration.ofMillis(400);
  private static final List<Optional<DispatcherCapabilityFilter>> FILTERS =
      List.of(
          Optional.empty(),
          Optional.empty(),
          Optional.of(range("1.0.0", "1.9.9")),
          Optional.of(range("2.0.0", "2.9.9")),
          Optional.of(
              new DispatcherCapabilityFilter(
                  range("1.0.0", "3.0.0").supported(),
                  new HandlerFilter(Map.of("Order", Set.of("1.0.0"))))));

  private final Twins twins;
  private final List<Held<LockedOrchestration>> held = new ArrayList<>();
  private final Map<String, Commit> lastCommits = new HashMap<>();

  /** The last commit of an instance, for fetches that keep what it recorded. */
  private record Commit(ExecutionKey execution, long lastEvent, Held<LockedOrchestration> turn) {}

  TwinTurns(Twins twins) {
    this.twins = twins;
  }

  private static DispatcherCapabilityFilter range(String min, String max) {
    return DispatcherCapabilityFilter.of(new SemverRange(Semver.parse(min), Semver.parse(max)));
  }

  Answers enqueue(RandomSupply supply) {
    var item = supply.message();
    Duration delay = supply.delay();
    return twins.tell(store -> store.enqueueForOrchestrator(item, delay));
  }

  Answers enqueueMany(RandomSupply supply, SplittableRandom random) {
    var items =
        switch (random.nextInt(200)) {
          case 0 -> supply.flood();
          default -> random.nextBoolean() ? supply.mail() : supply.messages(random.nextInt(4));
        };
    return twins.tell(store -> store.enqueueForOrchestrator(items));
  }

  /** Messages, starts and restarts of clients, which the store checks. */
  Answers send(RandomSupply supply) {
    var sending = supply.sending();
    return twins.both(store -> store.send(sending));
  }

  Answers fetch(RandomSupply supply, SplittableRandom random) {
    return fetch(supply.filter(FILTERS), random);
  }

  private Answers fetch(Optional<DispatcherCapabilityFilter> filter, SplittableRandom random) {
    int max = 1 + random.nextInt(3);
    boolean keeps = random.nextInt(3) > 0;
    OrchestrationFetch request =
        OrchestrationFetch.of(LOCK, Duration.ZERO).withFilter(filter.orElse(null));
    List<List<LockedOrchestration>> taken = new ArrayList<>();
    Answers answers =
        twins.both(store -> {
          List<LockedOrchestration> found =
              store.fetchOrchestrationItems(
                  keeps ? request.withCached(execution -> tip(store, execution)) : request, max);
          taken.add(found);
          return found.stream().map(one -> List.of(one.item(), one.attemptCount())).toList();
        });
    hold(held, taken);
    return answers;
  }

  /** Notes what both have handed out. */
  static <T> void hold(List<Held<T>> hands, List<List<T>> taken) {
    if (taken.size() == 2) {
      int count = Math.min(taken.get(0).size(), taken.get(1).size());
      for (int i = 0; i < count; i++) {
        hands.add(new Held<>(taken.get(0).get(i), taken.get(1).get(i)));
      }
    }
  }

  private CachedHistory.@Nullable Tip tip(Provider store, ExecutionKey execution) {
    Commit last = lastCommits.get(execution.instance());
    if (last == null || !last.execution().equals(execution) || last.lastEvent() == 0) {
      return null;
    }
    boolean isModel = store.equals(twins.model());
    LockedOrchestration turn = isModel ? last.turn().model() : last.turn().subject();
    return new CachedHistory.Tip(last.lastEvent(), turn.lockToken());
  }

  /** A fetch without a filter and the commit of what it found. */
  Answers turn(RandomSupply supply, SplittableRandom random) {
    Answers fetched = fetch(Optional.empty(), random);
    return fetched.differ() || held.isEmpty() ? fetched : fetched.and(ack(held.getLast(), supply));
  }

  Answers ack(RandomSupply supply, SplittableRandom random) {
    return withAny(held, random, one -> ack(one, supply));
  }

  private Answers ack(Held<LockedOrchestration> one, RandomSupply supply) {
    ExecutionKey fetched = one.model().item().execution();
    ExecutionKey execution = supply.executionAfter(fetched);
    TurnCommit commit = supply.commit(execution, lastEvent(execution));
    Answers answers =
        twins.both(
            one,
            (store, locked) ->
                store
                    .commitTurn(new TurnSource.Fetched(locked.lockToken()), commit, WorkClaim.NONE)
                    .map(turn -> String.valueOf(turn.prune())));
    if (answers.model() instanceof Optional<?> stored && stored.isPresent()) {
      lastCommits.put(execution.instance(), new Commit(execution, lastEvent(execution), one));
    }
    return answers;
  }

  Answers abandon(RandomSupply supply, SplittableRandom random) {
    Duration delay = supply.delay();
    boolean ignore = random.nextBoolean();
    return withAny(
        held,
        random,
        one ->
            twins.tell(
                one,
                (store, locked) ->
                    store.abandonOrchestrationItem(locked.lockToken(), delay, ignore)));
  }

  Answers renew(SplittableRandom random) {
    boolean together = random.nextBoolean();
    return withAny(
        held,
        random,
        one ->
            twins.both(
                one,
                (store, locked) ->
                    renew(store, LockRenewal.Kind.INSTANCE, locked.lockToken(), together)));
  }

  /** Renews a lock, alone or as some that are renewed together. */
  static Object renew(Provider store, LockRenewal.Kind kind, String token, boolean together) {
    if (together) {
      LockRenewal renewal = new LockRenewal(kind, token, LOCK);
      LockRenewal unknown = new LockRenewal(kind, "unknown", LOCK);
      return store.renewLocks(List.of(renewal, unknown)).stream()
          .map(answer -> List.of(answer.state(), answer.isLost()))
          .toList();
    }
    switch (kind) {
      case INSTANCE -> store.renewOrchestrationItemLock(token, LOCK);
      case ACTIVITY -> store.renewWorkItemLock(token, LOCK);
    }
    return "done";
  }

  Answers append(RandomSupply supply, SplittableRandom random) {
    ExecutionKey execution = new ExecutionKey(supply.instance(), 1 + random.nextInt(2));
    var events = supply.events(execution, lastEvent(execution));
    return twins.tell(store -> store.appendWithExecution(execution, events));
  }

  private long lastEvent(ExecutionKey execution) {
    var events = twins.model().readWithExecution(execution);
    return events.isEmpty() ? 0 : events.getLast().id();
  }

  /** Mostly with one of the last few: older tokens are no longer good for anything. */
  static <T> Answers withAny(
      List<Held<T>> hands, SplittableRandom random, Function<Held<T>, Answers> operation) {
    int size = hands.size();
    if (size == 0) {
      return Answers.NONE;
    }
    boolean old = random.nextInt(8) == 0;
    int place = old ? random.nextInt(size) : size - 1 - random.nextInt(Math.min(size, 3));
    return operation.apply(hands.get(place));
  }
}
