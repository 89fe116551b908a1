package io.duroxide.provider.sqlite;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Two stores on one clock that are told the same: the in-memory provider, which is the contract as
 * readable code, and this one. Each operation returns what both answered, side by side.
 */
final class Twins implements AutoCloseable {
  private static final Duration LOCK = Duration.ofMillis(400);
  private static final List<String> OWNERS = List.of("one", "two");

  private final TestClock clock = new TestClock();
  private final Provider model = MemoryProvider.create(clock);
  private final Provider subject = SqliteProvider.inMemory(SqliteOptions.DEFAULT.withClock(clock));
  private final List<Held<LockedOrchestration>> turns = new ArrayList<>();
  private final List<Held<LockedWork>> work = new ArrayList<>();
  private final Map<String, Commit> lastCommits = new HashMap<>();

  /** The last commit of an instance, for fetches that keep what it recorded. */
  private record Commit(ExecutionKey execution, long lastEvent, Held<LockedOrchestration> turn) {}

  /** What both stores handed out. */
  private record Held<T>(T model, T subject) {}

  /** What both stores answered; a refusal is its kind. */
  record Answers(Object model, Object subject) {
    boolean differ() {
      return !model.equals(subject);
    }

    Answers and(Answers then) {
      return new Answers(List.of(model, then.model), List.of(subject, then.subject));
    }
  }

  /** Everything that can be done to a store. */
  enum Op {
    ENQUEUE,
    ENQUEUE_MANY,
    FETCH,
    ACK,
    ABANDON,
    RENEW,
    WORK,
    /** A fetch without a filter and the commit of what it found. */
    TURN,
    FETCH_WORK,
    /** A fetch of any activity and its outcome. */
    RUN_WORK,
    ACK_WORK,
    ABANDON_WORK,
    RENEW_WORK,
    SESSIONS,
    APPEND,
    ADVANCE,
    READ,
    LIST,
    PURGE,
    DELETE,
    PRUNE
  }

  /** One step of a sequence; its arguments come from its seed. */
  record Step(Op op, long seed) {}

  Answers run(Step step) {
    Random random = new Random(step.seed());
    Supply supply = new Supply(random, clock);
    return switch (step.op()) {
      case ENQUEUE -> {
        var item = supply.message();
        Duration delay = supply.delay();
        yield both(store -> {
          store.enqueueForOrchestrator(item, delay);
          return "queued";
        });
      }
      case ENQUEUE_MANY -> {
        var items = Stream.generate(supply::message).limit(random.nextInt(4)).toList();
        yield both(store -> {
          store.enqueueForOrchestrator(List.copyOf(items));
          return "queued";
        });
      }
      case FETCH -> fetch(supply.filter(FILTERS), random);
      case ACK -> withTurn(random, held -> ack(held, supply));
      case ABANDON -> {
        Duration delay = supply.delay();
        boolean ignore = random.nextBoolean();
        yield withTurn(
            random,
            held ->
                bothHeld(
                    held,
                    (store, locked) -> {
                      store.abandonOrchestrationItem(locked.lockToken(), delay, ignore);
                      return "abandoned";
                    }));
      }
      case RENEW ->
          withTurn(
              random,
              held ->
                  bothHeld(
                      held,
                      (store, locked) -> {
                        store.renewOrchestrationItemLock(locked.lockToken(), LOCK);
                        return "renewed";
                      }));
      case WORK -> {
        var item = supply.activity();
        yield both(store -> {
          store.enqueueForWorker(item);
          return "queued";
        });
      }
      case TURN -> {
        Answers fetched = fetch(Optional.empty(), random);
        yield fetched.differ() || turns.isEmpty()
            ? fetched
            : fetched.and(ack(turns.getLast(), supply));
      }
      case FETCH_WORK -> fetchWork(workFetch(supply, random), 1 + random.nextInt(3));
      case RUN_WORK -> {
        Answers fetched = fetchWork(ANY_WORK, 1);
        yield fetched.differ() || work.isEmpty()
            ? fetched
            : fetched.and(ackWork(work.getLast(), supply));
      }
      case ACK_WORK -> withWork(random, held -> ackWork(held, supply));
      case ABANDON_WORK -> {
        Duration delay = supply.delay();
        boolean ignore = random.nextBoolean();
        yield withWork(
            random,
            held ->
                bothHeld(
                    held,
                    (store, locked) -> {
                      store.abandonWorkItem(locked.lockToken(), delay, ignore);
                      return "abandoned";
                    }));
      }
      case RENEW_WORK ->
          withWork(
              random,
              held ->
                  bothHeld(
                      held,
                      (store, locked) -> {
                        store.renewWorkItemLock(locked.lockToken(), LOCK);
                        return "renewed";
                      }));
      case SESSIONS -> {
        Duration idle = Duration.ofMillis(random.nextInt(500));
        List<String> owners = random.nextBoolean() ? OWNERS : List.of("two");
        yield random.nextBoolean()
            ? both(store -> store.renewSessionLock(owners, LOCK, idle))
            : both(store -> store.cleanupOrphanedSessions(idle));
      }
      case APPEND -> {
        ExecutionKey execution = new ExecutionKey(supply.instance(), 1 + random.nextInt(2));
        var events = supply.events(execution, lastEvent(execution));
        yield both(store -> {
          store.appendWithExecution(execution, events);
          return "appended";
        });
      }
      case ADVANCE -> {
        clock.advance(Duration.ofMillis(random.nextInt(300)));
        yield new Answers("later", "later");
      }
      case READ -> portrait(supply.instance(), random);
      case LIST -> list(random);
      case PURGE -> {
        Duration age = Duration.ofMillis(random.nextInt(600));
        yield both(store -> store.purgeOrphanMessages(age));
      }
      case DELETE -> delete(supply, random);
      case PRUNE -> prune(supply, random);
    };
  }

  private static final List<ExecutionStatus> STATUSES =
      List.copyOf(EnumSet.allOf(ExecutionStatus.class));
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

  private static DispatcherCapabilityFilter range(String min, String max) {
    return DispatcherCapabilityFilter.of(new SemverRange(Semver.parse(min), Semver.parse(max)));
  }

  private Answers fetch(Optional<DispatcherCapabilityFilter> filter, Random random) {
    int max = 1 + random.nextInt(3);
    boolean keeps = random.nextInt(3) > 0;
    OrchestrationFetch request =
        OrchestrationFetch.of(LOCK, Duration.ZERO).withFilter(filter.orElse(null));
    List<List<LockedOrchestration>> taken = new ArrayList<>();
    Answers answers =
        both(store -> {
          List<LockedOrchestration> found =
              store.fetchOrchestrationItems(
                  keeps ? request.withCached(execution -> tip(store, execution)) : request, max);
          taken.add(found);
          return found.stream().map(one -> List.of(one.item(), one.attemptCount())).toList();
        });
    hold(turns, taken);
    return answers;
  }

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

  private static WorkFetch workFetch(Supply supply, Random random) {
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
    return request;
  }

  private Answers fetchWork(WorkFetch request, int max) {
    List<List<LockedWork>> taken = new ArrayList<>();
    Answers answers =
        both(store -> {
          List<LockedWork> found = store.fetchWorkItems(request, max);
          taken.add(found);
          return found.stream()
              .map(one -> List.of(one.key(), Optional.ofNullable(one.item()), one.attemptCount()))
              .toList();
        });
    hold(work, taken);
    return answers;
  }

  private static <T> void hold(List<Held<T>> hands, List<List<T>> taken) {
    if (taken.size() == 2) {
      int count = Math.min(taken.get(0).size(), taken.get(1).size());
      for (int i = 0; i < count; i++) {
        hands.add(new Held<>(taken.get(0).get(i), taken.get(1).get(i)));
      }
    }
  }

  private Answers ack(Held<LockedOrchestration> held, Supply supply) {
    ExecutionKey fetched = held.model().item().execution();
    ExecutionKey execution = supply.executionAfter(fetched);
    var commit = supply.commit(execution, lastEvent(execution));
    Answers answers = commit(held, commit);
    if (answers.model() instanceof CommittedTurn) {
      lastCommits.put(execution.instance(), new Commit(execution, lastEvent(execution), held));
    }
    return answers;
  }

  private Answers commit(Held<LockedOrchestration> held, TurnCommit commit) {
    return bothHeld(
        held, (store, locked) -> store.ackOrchestrationItem(locked.lockToken(), commit));
  }

  private CachedHistory.Tip tip(Provider store, ExecutionKey execution) {
    Commit last = lastCommits.get(execution.instance());
    if (last == null || !last.execution().equals(execution) || last.lastEvent() == 0) {
      return null;
    }
    LockedOrchestration turn = store.equals(model) ? last.turn().model() : last.turn().subject();
    return new CachedHistory.Tip(last.lastEvent(), turn.lockToken());
  }

  private Answers ackWork(Held<LockedWork> held, Supply supply) {
    ActivityKey key = held.model().key();
    var outcome = supply.outcome(key);
    return bothHeld(
        held,
        (store, locked) -> {
          store.ackWorkItem(locked.lockToken(), outcome.orElse(null));
          return "done";
        });
  }

  private long lastEvent(ExecutionKey execution) {
    var events = model.readWithExecution(execution);
    return events.isEmpty() ? 0 : events.getLast().id();
  }

  private Answers withTurn(Random random, Function<Held<LockedOrchestration>, Answers> operation) {
    return turns.isEmpty()
        ? new Answers("none", "none")
        : operation.apply(turns.get(newest(random, turns.size())));
  }

  private Answers withWork(Random random, Function<Held<LockedWork>, Answers> operation) {
    return work.isEmpty()
        ? new Answers("none", "none")
        : operation.apply(work.get(newest(random, work.size())));
  }

  /** Mostly one of the last few: older tokens are no longer good for anything. */
  private static int newest(Random random, int size) {
    return random.nextInt(8) == 0
        ? random.nextInt(size)
        : size - 1 - random.nextInt(Math.min(size, 3));
  }

  /** Everything that clients see of an instance. */
  private Answers portrait(String instance, Random random) {
    long seen = random.nextInt(3);
    return both(store ->
        List.of(
            store.read(instance),
            store.readLast(instance),
            store.readWithExecution(new ExecutionKey(instance, 2)),
            store.status(instance),
            store.customStatus(instance, seen),
            store.kvAllValues(instance),
            store.kvValue(instance, "a"),
            store
                .instanceStats(instance)
                .map(stats ->
                    List.of(
                        stats.historyEventCount(),
                        stats.queuePendingCount(),
                        stats.kvUserKeyCount(),
                        stats.kvTotalValueBytes())),
            admin(store).listExecutions(instance),
            refusable(() -> admin(store).instanceInfo(instance)),
            refusable(() -> admin(store).executionInfo(new ExecutionKey(instance, 1))),
            refusable(() -> admin(store).parentId(instance)),
            refusable(() -> sorted(admin(store).instanceTree(instance))),
            sorted(admin(store).listChildren(instance))));
  }

  private Answers list(Random random) {
    InstanceQuery query = InstanceQuery.firstPage(filter(random), 2);
    return both(store -> {
      List<Object> seen = new ArrayList<>();
      InstancePage page = admin(store).listInstances(query);
      seen.addAll(page.rows());
      while (page.next() != null) {
        page = admin(store).listInstances(query.after(page.next()));
        seen.addAll(page.rows());
      }
      seen.add(admin(store).listInstances());
      seen.add(admin(store).listInstancesByStatus("Running"));
      seen.add(admin(store).systemMetrics());
      seen.add(admin(store).queueDepths());
      return seen;
    });
  }

  private InstanceFilter filter(Random random) {
    InstanceFilter filter =
        switch (random.nextInt(6)) {
          case 0 -> InstanceFilter.ids(List.of("c", "a", "c", "nobody"));
          case 1 -> InstanceFilter.ALL.roots();
          case 2 -> InstanceFilter.ALL.childrenOf("c");
          case 3 -> InstanceFilter.ALL.treeOf("c");
          default -> InstanceFilter.ALL;
        };
    if (random.nextBoolean()) {
      filter = filter.withStatuses(STATUSES.get(random.nextInt(STATUSES.size())));
    }
    if (random.nextBoolean()) {
      filter = random.nextBoolean() ? filter.withNamePrefix("Or") : filter.named("Order");
    }
    if (random.nextInt(3) == 0) {
      filter = filter.withIdPrefix("c");
    }
    if (random.nextInt(4) == 0) {
      filter = filter.withVersion("1.0.0");
    }
    Instant some = clock.instant().minusMillis(random.nextInt(400));
    return switch (random.nextInt(8)) {
      case 0 -> filter.createdFrom(some);
      case 1 -> filter.createdBefore(some);
      case 2 -> filter.completedFrom(some);
      case 3 -> filter.completedBefore(some);
      default -> filter;
    };
  }

  private BulkDeletion bulk(Random random) {
    return new BulkDeletion(1 + random.nextInt(2), random.nextBoolean(), random.nextBoolean());
  }

  private Answers delete(Supply supply, Random random) {
    String one = supply.instance();
    String other = supply.instance();
    boolean force = random.nextBoolean();
    InstanceFilter filter = filter(random);
    BulkDeletion how = bulk(random);
    return switch (random.nextInt(3)) {
      case 0 -> both(store -> admin(store).deleteInstance(one, force));
      case 1 -> both(store -> admin(store).deleteInstancesAtomic(List.of(one, other, one), force));
      default -> both(store -> admin(store).deleteInstanceBulk(filter, how));
    };
  }

  private Answers prune(Supply supply, Random random) {
    String instance = supply.instance();
    PruneOptions options =
        new PruneOptions(
            random.nextBoolean() ? random.nextInt(3) : null,
            random.nextBoolean() ? clock.instant().minusMillis(100) : null,
            random.nextInt(2));
    InstanceFilter filter = filter(random);
    return random.nextBoolean()
        ? both(store -> admin(store).pruneExecutions(instance, options))
        : both(store -> admin(store).pruneExecutionsBulk(filter, options, 2));
  }

  private static ProviderAdmin admin(Provider store) {
    return store.management().orElseThrow();
  }

  private static List<String> sorted(List<String> ids) {
    return ids.stream().sorted().toList();
  }

  /** An operation of one store. */
  @FunctionalInterface
  private interface Call {
    Object on(Provider store) throws InterruptedException;
  }

  /** An operation of one store with what it handed out. */
  @FunctionalInterface
  private interface HeldCall<T> {
    Object on(Provider store, T held);
  }

  private Answers both(Call call) {
    return new Answers(refusable(() -> call.on(model)), refusable(() -> call.on(subject)));
  }

  private <T> Answers bothHeld(Held<T> held, HeldCall<T> call) {
    return new Answers(
        refusable(() -> call.on(model, held.model())),
        refusable(() -> call.on(subject, held.subject())));
  }

  private static Object refusable(Callable<Object> call) {
    try {
      return call.call();
    } catch (ProviderException refusal) {
      return refusal.kind();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    model.close();
    subject.close();
  }
}
