package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.PrunedHistory;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PruneHistoryTest {
  private static final Retention TWO = Retention.keepLast(2);

  private final List<Retention> asked = new ArrayList<>();
  private HistoryPruning pruning =
      (setup, retention) -> {
        asked.add(retention);
        return new EventKind.HistoryPruned(3, 30, 2, null, null);
      };

  private Execution execution(OrchestrationCode code) {
    EngineOptions options =
        new EngineOptions(
            () -> Facts.NOON,
            UUID::randomUUID,
            DataConverter.json(),
            Limits.DEFAULT,
            Duration.ofMillis(200),
            new Author("0.1.0", "node"),
            (setup, retention) -> pruning.prune(setup, retention));
    return new Execution(
        new ExecutionSetup(started("7").execution(), "Order", "1.0.0", code, options));
  }

  private TurnResult turn(OrchestrationCode code, Event... history) {
    return execution(code).turn(TurnInput.of(List.of(history), List.of()));
  }

  private static List<EventKind> kinds(TurnResult result) {
    return result.delta().stream().map(Event::kind).toList();
  }

  @Test
  @DisplayName("E2E-940 request and answer are recorded together, and the code goes on at once")
  void recorded() {
    TurnResult result = turn((ctx, in) -> ctx.pruneHistory(TWO).toString(), started("7"));
    assertThat(kinds(result))
        .containsExactly(
            new EventKind.HistoryPruneRequested(TWO),
            new EventKind.HistoryPruned(3, 30, 2, null, null));
    assertThat(result.delta().getLast().source()).isEqualTo(result.delta().getFirst().id());
    assertThat(result.outcome())
        .isEqualTo(new TurnOutcome.Completed(new PrunedHistory(3, 30, null).toString()));
    assertThat(result.actions()).isEmpty();
    assertThat(asked).containsExactly(TWO);
  }

  @Test
  @DisplayName(
      "E2E-940 a replay returns what is recorded and prunes nothing, whatever is asked now")
  void replayed() {
    TurnResult result =
        turn(
            (ctx, in) ->
                ctx.pruneHistory(Retention.maxAge(Duration.ofDays(9))).toString()
                    + ctx.callActivity("Next", in).await(),
            started("7"),
            event(2, new EventKind.HistoryPruneRequested(TWO)),
            event(3, 2, new EventKind.HistoryPruned(1, 10, null, null, "a b c")),
            Facts.activityScheduled(4, "Next", "7"),
            Facts.activityCompleted(5, 4, "!"));
    assertThat(asked).isEmpty();
    assertThat(result.delta()).isEmpty();
    assertThat(result.outcome())
        .isEqualTo(new TurnOutcome.Completed(new PrunedHistory(1, 10, "a b c") + "!"));
  }

  @Test
  @DisplayName("E2E-940 code that no longer prunes, or prunes elsewhere, does not fit its history")
  void mismatch() {
    TurnResult result =
        turn(
            (ctx, in) -> ctx.callActivity("Next", in).await(),
            started("7"),
            event(2, new EventKind.HistoryPruneRequested(TWO)),
            event(3, 2, new EventKind.HistoryPruned(1, 10, null, null, null)));
    assertThat(failure(result)).contains("a pruning of history", "activity 'Next'");
    TurnResult other =
        turn(
            (ctx, in) -> ctx.pruneHistory(TWO).toString(),
            started("7"),
            Facts.activityScheduled(2, "Next", "7"));
    assertThat(failure(other)).contains("the code now asks for a pruning of history");
    assertThat(asked).isEmpty();
  }

  private static String failure(TurnResult result) {
    return result.outcome() instanceof TurnOutcome.Failed failed
            && failed.details() instanceof ErrorDetails.Configuration details
        ? details.displayMessage()
        : "no failure: " + result.outcome();
  }

  @Test
  @DisplayName("E2E-940 pruning works any number of times, in branches too")
  void often() {
    TurnResult result =
        turn(
            (ctx, in) -> {
              ctx.pruneHistory(TWO);
              var branch = ctx.async(inner -> inner.pruneHistory(TWO).executionsDeleted());
              ctx.pruneHistory(TWO);
              return branch.await().toString();
            },
            started("7"));
    assertThat(asked).hasSize(3);
    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("3"));
  }

  @Test
  @DisplayName("E2E-940 an error is an answer; code that wants a failure says so")
  void errors() {
    pruning = (setup, retention) -> new EventKind.HistoryPruned(0, 0, 2, null, "disk full");
    assertThat(turn((ctx, in) -> ctx.pruneHistory(TWO).error(), started("7")).outcome())
        .isEqualTo(new TurnOutcome.Completed("disk full"));
    TurnResult result = turn((ctx, in) -> ctx.pruneHistory(TWO).orThrow().toString(), started("7"));
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            TurnOutcome.Failed.class,
            failed ->
                assertThat(failed.details().displayMessage())
                    .isEqualTo("history was not pruned: disk full"));
  }

  @Test
  @DisplayName("E2E-940 a store that takes its time is not code that blocks")
  void slowStore() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger waited = new AtomicInteger();
    pruning =
        (setup, retention) -> {
          try {
            assertThat(never.await(600, TimeUnit.MILLISECONDS)).isFalse();
            waited.incrementAndGet();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new EventKind.HistoryPruned(0, 0, 2, null, null);
        };
    assertThat(turn((ctx, in) -> ctx.pruneHistory(TWO).toString(), started("7")).outcome())
        .isInstanceOf(TurnOutcome.Completed.class);
    assertThat(waited).hasValue(1);
  }

  @Test
  @DisplayName("E2E-940 a parked execution does not prune again when it goes on")
  void parked() {
    Execution execution = execution(PruneHistoryTest::pruneAndCall);
    execution.turn(TurnInput.of(List.of(started("7")), List.of()));
    TurnResult result = execution.turn(TurnInput.messages(List.of(activityDone(4, "ok"))));
    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("3ok"));
    assertThat(asked).hasSize(1);
  }

  private static String pruneAndCall(OrchestrationContext ctx, String input) {
    long deleted = ctx.pruneHistory(TWO).executionsDeleted();
    return deleted + ctx.callActivity("Next", input).await();
  }
}
