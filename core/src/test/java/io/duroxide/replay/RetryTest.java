package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Backoff;
import io.duroxide.api.RetryPolicy;
import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Retry at engine level: ordinary activities, timers and selects. */
class RetryTest {
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.attempts(3).withBackoff(new Backoff.None());
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final EventKind CHARGE =
      new EventKind.ActivityScheduled("Charge", "in", null, null);

  private static OrchestrationCode charging(RetryPolicy policy) {
    return (ctx, in) ->
        ctx.callActivity("Charge", in, ActivityOptions.options().retry(policy)).await();
  }

  private static TurnResult fail(Twin twin, long id, String message) {
    return twin.turn(Facts.activityFailed(id, failure(message)));
  }

  private static String failureOf(TurnResult result) {
    return ((TurnOutcome.Failed) result.outcome()).details().displayMessage();
  }

  private static long count(Twin twin, Class<? extends EventKind> kind) {
    return twin.recorded().stream().filter(event -> kind.isInstance(event.kind())).count();
  }

  @Test
  @DisplayName("OR-030 success at the first attempt: one schedule")
  void firstTime() {
    Twin twin = Twin.started(charging(AT_ONCE));
    twin.turn();

    assertThat(twin.turn(activityDone(2, "ok")).outcome()).isEqualTo(new Completed("ok"));
    assertThat(count(twin, EventKind.ActivityScheduled.class)).isEqualTo(1);
  }

  @Test
  @DisplayName("OR-030 two failures, then success")
  void thirdTime() {
    Twin twin = Twin.started(charging(AT_ONCE));
    twin.turn();
    assertThat(Engine.kinds(fail(twin, 2, "one"))).endsWith(CHARGE);
    fail(twin, 4, "two");

    assertThat(twin.turn(activityDone(6, "ok")).outcome()).isEqualTo(new Completed("ok"));
    assertThat(count(twin, EventKind.ActivityScheduled.class)).isEqualTo(3);
  }

  @Test
  @DisplayName("OR-030 attempts exhausted: the last error counts")
  void exhausted() {
    Twin twin = Twin.started(charging(AT_ONCE));
    twin.turn();
    fail(twin, 2, "one");
    fail(twin, 4, "two");

    assertThat(failureOf(fail(twin, 6, "three"))).isEqualTo("three");
  }

  @Test
  @DisplayName("OR-030 a single attempt fails at once")
  void singleAttempt() {
    Twin twin = Twin.started(charging(RetryPolicy.attempts(1)));
    twin.turn();

    TurnResult result = fail(twin, 2, "one");

    assertThat(failureOf(result)).isEqualTo("one");
    assertThat(result.actions()).isEmpty();
  }

  @Test
  @DisplayName("OR-031 a fixed backoff makes a timer between attempts, N schedules for N attempts")
  void fixedBackoff() {
    Twin twin =
        Twin.started(charging(RetryPolicy.attempts(3).withBackoff(new Backoff.Fixed(MINUTE))));
    twin.turn();
    assertThat(Engine.kinds(fail(twin, 2, "one")))
        .endsWith(new EventKind.TimerCreated(NOON.plus(MINUTE)));
    assertThat(Engine.kinds(twin.turn(timerDue(4)))).endsWith(CHARGE);
    fail(twin, 6, "two");
    twin.turn(timerDue(8));

    assertThat(failureOf(fail(twin, 10, "three"))).isEqualTo("three");
    assertThat(count(twin, EventKind.ActivityScheduled.class)).isEqualTo(3);
    assertThat(count(twin, EventKind.TimerCreated.class)).isEqualTo(2);
  }

  @Test
  @DisplayName("OR-031 no backoff makes no timer")
  void noBackoff() {
    Twin twin = Twin.started(charging(AT_ONCE));
    twin.turn();
    fail(twin, 2, "one");
    fail(twin, 4, "two");
    fail(twin, 6, "three");

    assertThat(count(twin, EventKind.TimerCreated.class)).isZero();
    assertThat(count(twin, EventKind.ActivityScheduled.class)).isEqualTo(3);
  }

  @Test
  @DisplayName("OR-032 a timeout ends the call without another attempt and cancels the activity")
  void timeout() {
    Twin twin = Twin.started(charging(AT_ONCE.withTimeout(MINUTE)));
    assertThat(Engine.kinds(twin.turn()))
        .containsExactly(CHARGE, new EventKind.TimerCreated(NOON.plus(MINUTE)));

    TurnResult result = twin.turn(timerDue(3));

    assertThat(failureOf(result)).isEqualTo("timeout: activity timed out");
    assertThat(result.actions()).isEmpty();
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("OR-032 an error is retried, then the second attempt times out")
  void errorThenTimeout() {
    Twin twin = Twin.started(charging(AT_ONCE.withTimeout(MINUTE)));
    twin.turn();
    assertThat(fail(twin, 2, "one").actions()).hasSize(2);

    TurnResult result = twin.turn(timerDue(6));

    assertThat(failureOf(result)).isEqualTo("timeout: activity timed out");
    assertThat(result.abandoned().activities()).containsExactly(5L);
  }

  @Test
  @DisplayName("OR-032 success before the timeout; its timer fires for nobody")
  void successBeforeTimeout() {
    OrchestrationCode code =
        (ctx, in) ->
            ctx.callActivity(
                        "Charge", in, ActivityOptions.options().retry(AT_ONCE.withTimeout(MINUTE)))
                    .await()
                + ctx.waitForEvent("go").await();
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(activityDone(2, "ok")).abandoned())
        .isEqualTo(new Abandoned(List.of(), List.of(), List.of(3L)));
    assertThat(twin.turn(timerDue(3)).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(Facts.raised("go", "!")).outcome()).isEqualTo(new Completed("ok!"));
  }

  @Test
  @DisplayName(
      "OR-032 an activity that fails with the words of a timeout is retried like any other")
  void theWordsOfATimeout() {
    Twin twin = Twin.started(charging(AT_ONCE));
    twin.turn();

    assertThat(Engine.kinds(fail(twin, 2, "timeout: activity timed out"))).endsWith(CHARGE);
  }

  @Test
  @DisplayName("OR-035 every attempt carries session and tag")
  void routing() {
    ActivityOptions options = ActivityOptions.options().session("s").tag("gpu").retry(AT_ONCE);
    Twin twin = Twin.started((ctx, in) -> ctx.callActivity("Charge", in, options).await());
    EventKind routed = new EventKind.ActivityScheduled("Charge", "in", "s", "gpu");

    assertThat(Engine.kinds(twin.turn())).containsExactly(routed);
    assertThat(Engine.kinds(fail(twin, 2, "one"))).endsWith(routed);
  }

  @Test
  @DisplayName("a call with retry that loses a select stops, between attempts too")
  void losesASelect() {
    OrchestrationCode code =
        (ctx, in) -> {
          var retried =
              ctx.callActivity(
                  "Charge", in, ActivityOptions.options().retry(RetryPolicy.attempts(3)));
          ctx.select(List.of(retried, ctx.timer(MINUTE)));
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    fail(twin, 2, "one");
    twin.turn(timerDue(3));

    assertThat(twin.turn(timerDue(5)).actions()).isEmpty();
  }
}
