package io.duroxide.provider.tck;

import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.tck.Twins.Answers;
import io.duroxide.provider.tck.Twins.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Activities and sessions of two stores. */
final class TwinWork {
  private static final Duration LOCK = Duration.ofMillis(400);
  private static final List<String> OWNERS = List.of("one", "two");
  private static final List<TagFilter> TAGS =
      List.of(
          TagFilter.DEFAULT_ONLY,
          TagFilter.ANY,
          TagFilter.ANY,
          TagFilter.tags("gpu"),
          TagFilter.defaultAnd("gpu"),
          TagFilter.NONE);
  private static final WorkFetch ANY_WORK =
      WorkFetch.of(LOCK, Duration.ZERO)
          .withTags(TagFilter.ANY)
          .withSession(new SessionFetchConfig("one", LOCK));

  private final Twins twins;
  private final List<Held<LockedWork>> held = new ArrayList<>();

  TwinWork(Twins twins) {
    this.twins = twins;
  }

  Answers enqueue(RandomSupply supply) {
    var item = supply.activity();
    return twins.tell(store -> store.enqueueForWorker(item));
  }

  Answers fetch(RandomSupply supply, SplittableRandom random) {
    WorkFetch request =
        WorkFetch.of(LOCK, Duration.ZERO).withTags(TAGS.get(random.nextInt(TAGS.size())));
    if (random.nextBoolean()) {
      String owner = OWNERS.get(random.nextInt(OWNERS.size()));
      int claims = random.nextInt(4) == 0 ? random.nextInt(2) : 5;
      request = request.withSession(new SessionFetchConfig(owner, LOCK, claims));
    }
    if (random.nextInt(3) == 0) {
      request = request.withActivityNames(Set.of(supply.activityName()));
    }
    return fetch(request, 1 + random.nextInt(3));
  }

  private Answers fetch(WorkFetch request, int max) {
    List<List<LockedWork>> taken = new ArrayList<>();
    Answers answers =
        twins.both(store -> {
          List<LockedWork> found = store.fetchWorkItems(request, max);
          taken.add(found);
          return found.stream()
              .map(one -> List.of(one.key(), Optional.ofNullable(one.item()), one.attemptCount()))
              .toList();
        });
    TwinTurns.hold(held, taken);
    return answers;
  }

  /** A fetch of any activity and its outcome. */
  Answers run(RandomSupply supply) {
    Answers fetched = fetch(ANY_WORK, 1);
    return fetched.differ() || held.isEmpty() ? fetched : fetched.and(ack(held.getLast(), supply));
  }

  Answers ack(RandomSupply supply, SplittableRandom random) {
    return TwinTurns.withAny(held, random, one -> ack(one, supply));
  }

  private Answers ack(Held<LockedWork> one, RandomSupply supply) {
    var outcome = supply.outcome(one.model().key());
    return twins.tell(
        one, (store, locked) -> store.ackWorkItem(locked.lockToken(), outcome.orElse(null)));
  }

  Answers abandon(RandomSupply supply, SplittableRandom random) {
    Duration delay = supply.delay();
    boolean ignore = random.nextBoolean();
    return TwinTurns.withAny(
        held,
        random,
        one ->
            twins.tell(
                one, (store, locked) -> store.abandonWorkItem(locked.lockToken(), delay, ignore)));
  }

  Answers renew(SplittableRandom random) {
    boolean together = random.nextBoolean();
    return TwinTurns.withAny(
        held,
        random,
        one ->
            twins.both(
                one,
                (store, locked) ->
                    TwinTurns.renew(
                        store, LockRenewal.Kind.ACTIVITY, locked.lockToken(), together)));
  }

  Answers sessions(SplittableRandom random) {
    Duration idle = Duration.ofMillis(random.nextInt(500));
    List<String> owners = random.nextBoolean() ? OWNERS : List.of("two");
    return random.nextBoolean()
        ? twins.both(store -> store.renewSessionLock(owners, LOCK, idle))
        : twins.both(store -> store.cleanupOrphanedSessions(idle));
  }
}
