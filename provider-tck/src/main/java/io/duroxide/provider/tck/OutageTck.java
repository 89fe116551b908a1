package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.TurnCommit;
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
    var operations = operations(turn.lockToken(), activity.lockToken());

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

  private Map<String, ThrowingCallable> operations(String turn, String activity) {
    Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
    calls.put("enqueueForOrchestrator", () -> poke("x"));
    calls.put("fetchOrchestrationItem", this::fetch);
    calls.put(
        "ackOrchestrationItem", () -> provider.ackOrchestrationItem(turn, TurnCommit.nothing(1)));
    calls.put(
        "abandonOrchestrationItem",
        () -> provider.abandonOrchestrationItem(turn, Duration.ZERO, false));
    calls.put("renewOrchestrationItemLock", () -> provider.renewOrchestrationItemLock(turn, LOCK));
    calls.put("enqueueForWorker", () -> act("x", 4));
    calls.put("fetchWorkItem", this::wfetch);
    calls.put("ackWorkItem", () -> provider.ackWorkItem(activity, null));
    calls.put("renewWorkItemLock", () -> provider.renewWorkItemLock(activity, LOCK));
    calls.put("abandonWorkItem", () -> provider.abandonWorkItem(activity, Duration.ZERO, false));
    calls.put("renewSessionLock", () -> provider.renewSessionLock(List.of("worker"), LOCK, LOCK));
    calls.put("cleanupOrphanedSessions", () -> provider.cleanupOrphanedSessions(LOCK));
    calls.put("read", () -> provider.read("x"));
    calls.put("readWithExecution", () -> provider.readWithExecution(first("x")));
    calls.put(
        "appendWithExecution",
        () -> provider.appendWithExecution(first("x"), List.of(Events.scheduled(first("x"), 9))));
    calls.put("customStatus", () -> provider.customStatus("x", 0));
    calls.put("kvValue", () -> provider.kvValue("x", "color"));
    calls.put("kvAllValues", () -> provider.kvAllValues("x"));
    calls.put("instanceStats", () -> provider.instanceStats("x"));
    calls.put("status", () -> provider.status("x"));
    provider.management().ifPresent(admin -> calls.putAll(operations(admin)));
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
