package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ERR: a store that is away or in trouble (6). */
public abstract class OutageTck extends ProviderTck {
  private static final List<FaultKind> PASSING_TROUBLE =
      List.of(FaultKind.DEADLOCK, FaultKind.SERIALIZATION_FAILURE, FaultKind.SERVER_RESTART);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  /** A caller that tries more often than this gives up. */
  private static final int MAX_TRIES = 5;

  /** For subclasses. */
  protected OutageTck() {}

  @Test
  @Needs.Faults
  @DisplayName("TCK-ERR-15 while the store is away everything fails retryable; then all works")
  void away() {
    create("x");
    poke("x");
    act("x", 2);
    act("x", 3);
    LockedOrchestration turn = fetched("x");
    LockedWork activity = work(2);
    var operations = operations(provider, turn.lockToken(), activity.lockToken());

    fixture().fault(FaultPoint.BEFORE, FaultKind.UNREACHABLE);
    List<String> wrong = new ArrayList<>();
    operations.forEach((name, call) -> {
      ProviderException failure = failure(call);
      if (!failure.retryable()) {
        wrong.add(name + ": " + failure.kind());
      }
    });
    fixture().heal();

    assertThat(wrong).isEmpty();
    provider.renewOrchestrationItemLock(turn.lockToken(), LOCK);
    provider.ackWorkItem(activity.lockToken(), Items.completed("x", 2));
    work(3);
  }

  private static Map<String, ThrowingCallable> operations(
      Provider handle, String turn, String activity) {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put(
        "enqueueForOrchestrator",
        () -> handle.enqueueForOrchestrator(Items.raised("x", "poke"), Duration.ZERO));
    calls.put(
        "fetchOrchestrationItem", () -> fetch(handle, OrchestrationFetch.of(LOCK, Duration.ZERO)));
    calls.put(
        "commitTurn",
        () ->
            handle.commitTurn(new TurnSource.Fetched(turn), TurnCommit.nothing(1), WorkClaim.NONE));
    calls.put(
        "abandonOrchestrationItem",
        () -> handle.abandonOrchestrationItem(turn, Duration.ZERO, false));
    calls.put("renewOrchestrationItemLock", () -> handle.renewOrchestrationItemLock(turn, LOCK));
    calls.put("enqueueForWorker", () -> handle.enqueueForWorker(Items.activity("x", 4)));
    calls.put("fetchWorkItem", () -> wfetch(handle, WorkFetch.of(LOCK, Duration.ZERO)));
    calls.put("ackWorkItem", () -> handle.ackWorkItem(activity, null));
    calls.put("renewWorkItemLock", () -> handle.renewWorkItemLock(activity, LOCK));
    calls.put("abandonWorkItem", () -> handle.abandonWorkItem(activity, Duration.ZERO, false));
    calls.put("renewSessionLock", () -> handle.renewSessionLock(List.of("worker"), LOCK, LOCK));
    calls.put("cleanupOrphanedSessions", () -> handle.cleanupOrphanedSessions(LOCK));
    calls.put("read", () -> handle.read("x"));
    calls.put("readWithExecution", () -> handle.readWithExecution(first("x")));
    calls.put(
        "appendWithExecution",
        () -> handle.appendWithExecution(first("x"), List.of(Events.scheduled(first("x"), 9))));
    calls.put("customStatus", () -> handle.customStatus("x", 0));
    calls.put("kvValue", () -> handle.kvValue("x", "color"));
    calls.put("kvAllValues", () -> handle.kvAllValues("x"));
    calls.put("instanceStats", () -> handle.instanceStats("x"));
    calls.put("status", () -> handle.status("x"));
    handle.management().ifPresent(admin -> calls.putAll(operations(admin)));
    return calls;
  }

  private static Map<String, ThrowingCallable> operations(ProviderAdmin admin) {
    return Map.of(
        "listInstances",
        admin::listInstances,
        "readHistory",
        () -> admin.readHistory("x"),
        "instanceInfo",
        () -> admin.instanceInfo("x"),
        "systemMetrics",
        admin::systemMetrics,
        "queueDepths",
        admin::queueDepths,
        "instanceTree",
        () -> admin.instanceTree("x"),
        "deleteInstance",
        () -> admin.deleteInstance("x", true),
        "pruneExecutions",
        () -> admin.pruneExecutions("x", PruneOptions.ALL));
  }

  @Test
  @Needs.Threads
  @DisplayName("TCK-ERR-60 a handle whose thread has ended refuses every operation, and is closed")
  void threadEnded() {
    create("x");
    poke("x");
    act("x", 2);
    String turn = fetched("x").lockToken();
    String activity = work(2).lockToken();
    Provider ended = fixture().handleWithEndedThread();

    List<String> wrong = new ArrayList<>();
    operations(ended, turn, activity)
        .forEach((name, call) -> {
          Throwable failure = catchThrowable(call);
          if (!(failure instanceof ProviderException told) || told.kind() != Kind.UNAVAILABLE) {
            wrong.add(name + ": " + failure);
          }
        });

    assertThat(wrong).isEmpty();
    assertTimeoutPreemptively(CLOSE_LIMIT, ended::close);
    provider.renewOrchestrationItemLock(turn, LOCK);
    provider.ackWorkItem(activity, Items.completed("x", 2));
  }

  @Test
  @Needs.Faults
  @DisplayName("TCK-ERR-16 passing trouble during fetch and ack is never permanent")
  void passingTrouble() {
    for (FaultKind kind : PASSING_TROUBLE) {
      String x = "x-" + kind;
      create(x);
      poke(x);
      act(x, 2);

      fixture().fault(FaultPoint.afterStatements(1), kind);
      LockedOrchestration turn = retried(() -> fetch().orElseThrow());
      assertThat(turn.attemptCount()).isEqualTo(1);

      fixture().fault(FaultPoint.afterStatements(1), kind);
      retried(() -> acked(() -> ack(turn, TurnCommit.nothing(1))));

      fixture().fault(FaultPoint.afterStatements(1), kind);
      LockedWork activity = retried(() -> wfetch().orElseThrow());
      assertThat(activity.attemptCount()).isEqualTo(1);

      WorkItem outcome = Items.completed(x, 2);
      fixture().fault(FaultPoint.afterStatements(1), kind);
      retried(() -> acked(() -> provider.ackWorkItem(activity.lockToken(), outcome)));

      LockedOrchestration next = fetched(x);
      assertThat(messages(next)).containsExactly(outcome);
      drain(next);
    }
  }

  private static boolean acked(Runnable ack) {
    ack.run();
    return true;
  }

  /** Calls as a runtime does: again, as long as the failure says that it may help. */
  private static <T> T retried(Supplier<T> call) {
    Optional<ProviderException> last = Optional.empty();
    for (int i = 0; i < MAX_TRIES; i++) {
      try {
        return call.get();
      } catch (ProviderException e) {
        assertThat(e.retryable()).as("retryable: %s", e).isTrue();
        last = Optional.of(e);
      }
    }
    throw new AssertionError("still failing after " + MAX_TRIES + " tries", last.orElseThrow());
  }
}
