package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.cancel;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.externalEvent;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.CONTINUE;
import static io.duroxide.replay.Verdicts.nondeterministic;
import static io.duroxide.replay.Verdicts.onlyCompleted;
import static io.duroxide.replay.Verdicts.refused;
import static io.duroxide.replay.Verdicts.stillWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CorruptionTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final OrchestrationCode counting =
      (ctx, in) -> {
        runs.incrementAndGet();
        ctx.setCustomStatus("running");
        return ctx.callActivity("A", in).await();
      };

  @Test
  @DisplayName("RE-100 an empty history is corrupted, and the code does not run")
  void empty() {
    refused(counting, "corrupted history: empty");
    assertThat(runs).hasValue(0);
  }

  @Test
  @DisplayName("RE-100 a history of nothing but what just arrived is corrupted too")
  void emptyWithMessage() {
    TurnResult result = Engine.of(counting).turn(raised("go", "now"));

    nondeterministic(result, "corrupted history: ");
    assertThat(result.delta()).containsExactly(externalEvent(1, "go", "now"));
    assertThat(runs).hasValue(0);
  }

  @Test
  @DisplayName("RE-101 a history without a start is corrupted and names OrchestrationStarted")
  void withoutStart() {
    refused(
        counting,
        "corrupted history: first event must be OrchestrationStarted",
        activityScheduled(1, "A", "in"),
        activityCompleted(2, 1, "a"));
    assertThat(runs).hasValue(0);
  }

  @Test
  @DisplayName("RE-102 a history whose start is not first is corrupted and names it")
  void startNotFirst() {
    refused(
        counting,
        "corrupted history: first event must be OrchestrationStarted",
        activityScheduled(2, "A", "in"),
        started("in"),
        activityCompleted(3, 2, "a"));
    assertThat(runs).hasValue(0);
  }

  private static final OrchestrationCode STEP = (ctx, in) -> ctx.callActivity("A", in).await();

  private static Event startedAt(long id) {
    return event(id, started("in").kind());
  }

  @Test
  @DisplayName("RE-103 a first event with id 0 is accepted")
  void firstIdZero() {
    onlyCompleted(
        Engine.replay(
            STEP, startedAt(0), activityScheduled(1, "A", "in"), activityCompleted(2, 1, "a")),
        "a");
    assertThat(Engine.replay(STEP, startedAt(0)).delta())
        .containsExactly(activityScheduled(1, "A", "in"));
  }

  @Test
  @DisplayName("RE-103 gaps between ids are accepted")
  void gaps() {
    onlyCompleted(
        Engine.replay(
            STEP, startedAt(3), activityScheduled(70, "A", "in"), activityCompleted(900, 70, "a")),
        "a");
  }

  static final EventKind COMPLETED = new EventKind.OrchestrationCompleted("out");
  static final EventKind FAILED = new EventKind.OrchestrationFailed(failure("no"));
  static final EventKind CONTINUED = new EventKind.OrchestrationContinuedAsNew("next");
  static final EventKind CANCEL = new EventKind.OrchestrationCancelRequested("stop");

  static Stream<Arguments> ended() {
    Event step = activityScheduled(2, "A", "in");
    return Stream.of(
        Arguments.of("RE-104 Completed in history", List.of(event(2, COMPLETED))),
        Arguments.of("RE-104 Failed in history", List.of(event(2, FAILED))),
        Arguments.of("RE-104 ContinuedAsNew in history", List.of(event(2, CONTINUED))),
        Arguments.of("RE-104 Completed behind open work", List.of(step, event(3, COMPLETED))),
        Arguments.of("RE-105 several terminals", List.of(event(2, COMPLETED), event(3, FAILED))),
        Arguments.of("RE-105 an event after a terminal", List.of(event(2, CONTINUED), step)),
        Arguments.of(
            "RE-105 a completion without schedule after a terminal",
            List.of(event(2, FAILED), activityCompleted(3, 9, "a"))),
        Arguments.of(
            "RE-105 a cancel after a terminal", List.of(event(2, COMPLETED), event(3, CANCEL))));
  }

  @ParameterizedTest(name = "{0}: the turn does nothing", quoteTextArguments = false)
  @MethodSource("ended")
  @DisplayName("RE-104 RE-105 an ended execution does nothing, whatever arrives")
  void ended(String what, List<Event> events) {
    Engine engine =
        Engine.of(counting).history(started("in")).history(events.toArray(Event[]::new));

    stillWaiting(engine.turn());
    stillWaiting(
        engine.turn(activityDone(2, "a"), raised("go", "now"), queued("q", "m"), cancel("stop")));
    assertThat(runs).hasValue(0);
    assertThat(engine.recorded()).hasSize(1 + events.size());
  }

  @Test
  @DisplayName("RE-106 external events that nobody can receive are ignored")
  void undeliverable() {
    OrchestrationCode code = (ctx, in) -> STEP.run(ctx, in) + ctx.waitForEvent("go").await();

    onlyCompleted(
        Engine.replay(
            code,
            started("in"),
            externalEvent(2, "go", "too early"),
            externalEvent(3, "nobody", "asks"),
            activityScheduled(4, "A", "in"),
            activityCompleted(5, 4, "a"),
            subscribed(6, "go"),
            externalEvent(7, "nobody", "asks"),
            externalEvent(8, "go", "now"),
            externalEvent(9, "go", "surplus")),
        "anow");
  }

  static Stream<Arguments> completions() {
    return Stream.of(
            new EventKind.ActivityCompleted("a"),
            new EventKind.ActivityFailed(failure("no")),
            new EventKind.TimerFired(NOON),
            new EventKind.SubOrchestrationCompleted("c"),
            new EventKind.SubOrchestrationFailed(failure("no")))
        .map(kind -> Arguments.of(kind.getClass().getSimpleName(), kind));
  }

  @ParameterizedTest(name = "RE-107 {0} without source id is ignored", quoteTextArguments = false)
  @MethodSource("completions")
  @DisplayName("RE-107 a completion without source id is ignored")
  void withoutSource(String what, EventKind completion) {
    OrchestrationCode code =
        (ctx, in) -> {
          List<DurableFuture<?>> all =
              List.of(
                  ctx.callActivity("A", in),
                  ctx.timer(Duration.ofSeconds(5)),
                  ctx.callOrchestration("Ship", in, ChildOptions.defaults()));
          return "won: " + ctx.select(all).index();
        };
    Engine engine =
        Engine.of(code)
            .history(
                started("in"),
                activityScheduled(2, "A", "in"),
                Facts.timerCreated(3, NOON),
                Facts.childScheduled(4, "Ship", "sub::4", "in"),
                event(5, completion));

    stillWaiting(engine.turn());
    assertThat(engine.turn(Facts.timerDue(3)).outcome()).isEqualTo(Verdicts.completed("won: 1"));
  }

  /** Names are limited, payloads are not. */
  private static final int LONGEST_NAME = 256;

  static Stream<Arguments> texts() {
    return Stream.of(
        Arguments.of("empty", ""),
        Arguments.of("unicode", "grüße 日本語 🚀 \u202e rtl"),
        Arguments.of("newline", "a\nb"),
        Arguments.of("tab", "a\tb"),
        Arguments.of("CR/LF", "\r\na\r\n"),
        Arguments.of("NUL", "a\0b"),
        Arguments.of("10 kB", "n".repeat(10_000)));
  }

  @ParameterizedTest(
      name = "RE-108 RL-063 {0}: names and payloads are preserved",
      quoteTextArguments = false)
  @MethodSource("texts")
  @DisplayName("RE-108 names and payloads of any text are preserved exactly")
  void anyText(String what, String text) {
    String name = text.isEmpty() || text.length() > LONGEST_NAME ? "n" : text;
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.setCustomStatus(text);
          ctx.kv().putText(name, text);
          ctx.startDetached(name, text, ChildOptions.instanceId("i" + name));
          List<DurableFuture<String>> all =
              List.of(
                  ctx.callActivity(name, text, ActivityOptions.options().session(name)),
                  ctx.callOrchestration(name, text, ChildOptions.instanceId("i" + name)),
                  ctx.waitForEvent(name),
                  ctx.dequeueEvent(name));
          return String.join("|", ctx.all(all));
        };

    List<TurnResult> turns =
        Turns.of(
            code,
            batch(),
            batch(
                activityDone(5, text),
                Facts.childDone(6, text),
                raised(name, text),
                queued(name, text)));

    assertThat(turns.get(0).outcome()).isEqualTo(CONTINUE);
    assertThat(Engine.kinds(turns.get(0)))
        .containsExactly(
            new EventKind.CustomStatusUpdated(text),
            new EventKind.KeyValueSet(name, text, NOON),
            new EventKind.OrchestrationChained(name, "i" + name, text),
            new EventKind.ActivityScheduled(name, text, name, null),
            new EventKind.SubOrchestrationScheduled(name, "i" + name, text),
            new EventKind.ExternalSubscribed(name),
            new EventKind.QueueSubscribed(name));
    assertThat(turns.get(1).outcome())
        .isEqualTo(Verdicts.completed(String.join("|", text, text, text, text)));
  }

  @Test
  @DisplayName("RE-108 a result of 1 MB passes")
  void largeResult() {
    String large = "0123456789abcdef".repeat(65_536);

    assertThat(Turns.last(STEP, batch(), batch(activityDone(2, large))).outcome())
        .isEqualTo(Verdicts.completed(large));
  }
}
