package io.duroxide.runtime;

import static io.duroxide.runtime.Turns.NOON;
import static io.duroxide.runtime.Turns.ORDER_7;
import static io.duroxide.runtime.Turns.PARENT;
import static io.duroxide.runtime.Turns.cancel;
import static io.duroxide.runtime.Turns.go;
import static io.duroxide.runtime.Turns.linkTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.Limits;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TurnCommit;
import io.duroxide.replay.OrchestrationCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One turn of a busy child per way it can end. Events 2 to 7 were opened before: activity, timer,
 * child, wait, dequeue and the wait for "go". The turn takes "go", asks for one of each again, and
 * for a detached start.
 */
class OutcomeColumnsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final WorkItem MAIL =
      WorkItem.StartOrchestration.detached("mail-b", "Mail", "b", null);

  private static TurnCommit lastTurn(OrchestrationCode ending, WorkItem... messages) {
    OrchestrationCode code =
        (ctx, in) -> {
          askForEverything(ctx, "a");
          ctx.waitForEvent("go").await();
          askForEverything(ctx, "b");
          ctx.startDetached("Mail", "b", ChildOptions.instanceId("mail-b"));
          return ending.run(ctx, in);
        };
    Turns turns = Turns.of(code).child();
    turns.turn();
    return turns.turn(messages);
  }

  private static void askForEverything(OrchestrationContext ctx, String input) {
    ctx.callActivity("Charge", input);
    ctx.timer(HOUR);
    ctx.callOrchestration("Ship", input, ChildOptions.defaults());
    ctx.waitForEvent("wait-" + input);
    ctx.dequeueEvent("queue-" + input);
  }

  /** What the turn records before its end, from event 8 on. */
  private static List<EventKind> asked(boolean cancelled, long childId) {
    List<EventKind> kinds = new ArrayList<>();
    kinds.add(new EventKind.ExternalEvent("go", "now"));
    if (cancelled) {
      kinds.add(new EventKind.OrchestrationCancelRequested("no longer needed"));
    }
    kinds.add(new EventKind.ActivityScheduled("Charge", "b", null, null));
    kinds.add(new EventKind.TimerCreated(NOON.plus(HOUR)));
    kinds.add(new EventKind.SubOrchestrationScheduled("Ship", "sub::" + childId, "b"));
    kinds.add(new EventKind.ExternalSubscribed("wait-b"));
    kinds.add(new EventKind.QueueSubscribed("queue-b"));
    kinds.add(new EventKind.OrchestrationChained("Mail", "mail-b", "b"));
    return kinds;
  }

  private static List<EventKind> decided(String outcome) {
    String reason = "orchestration_terminal_" + outcome;
    return List.of(
        new EventKind.ActivityCancelRequested(reason),
        new EventKind.ActivityCancelRequested(reason),
        new EventKind.SubOrchestrationCancelRequested(reason),
        new EventKind.SubOrchestrationCancelRequested(reason),
        new EventKind.ExternalSubscribedCancelled("orchestration_terminal"),
        new EventKind.ExternalSubscribedCancelled("orchestration_terminal"),
        new EventKind.QueueSubscriptionCancelled("orchestration_terminal"),
        new EventKind.QueueSubscriptionCancelled("orchestration_terminal"));
  }

  private static void assertEnded(TurnCommit commit, String outcome, EventKind.Terminal terminal) {
    boolean cancelled = outcome.equals("cancelled");
    long activity = cancelled ? 10 : 9;
    List<EventKind> expected = new ArrayList<>(asked(cancelled, activity + 2));
    expected.addAll(decided(outcome));
    expected.add(terminal);
    assertThat(Turns.kinds(commit)).isEqualTo(expected);
    assertThat(commit.historyDelta())
        .extracting(Event::id)
        .containsExactlyElementsOf(LongStream.range(8, 8 + expected.size()).boxed().toList());
    assertThat(commit.historyDelta().stream().map(Event::source).filter(id -> id != null))
        .containsExactly(2L, activity, 4L, activity + 2, 5L, activity + 3, 6L, activity + 4);
    assertThat(commit.workerItems()).isEmpty();
    assertThat(Turns.removed(commit)).containsExactly(2L, activity);
  }

  private static WorkItem cancelOfChild(String reason) {
    return new WorkItem.CancelInstance(ORDER_7 + "::sub::4", reason, linkTo(4));
  }

  @Test
  @DisplayName("RE-230 Continue: everything new is dispatched, in the order it was asked for")
  void continues() {
    TurnCommit commit = lastTurn((ctx, in) -> ctx.waitForEvent("never").await(), go());

    List<EventKind> expected = asked(false, 11);
    expected.add(new EventKind.ExternalSubscribed("never"));
    assertThat(Turns.kinds(commit)).isEqualTo(expected);
    assertThat(commit.workerItems())
        .containsExactly(
            new WorkItem.ActivityExecute(
                new ActivityKey(ORDER_7, 1, 9),
                "Charge",
                "b",
                ActivityRouting.ANYWHERE,
                new ActivityOrigin("Order", "1.0.0", NOON)));
    assertThat(commit.orchestratorItems())
        .containsExactly(
            new WorkItem.TimerFired(ORDER_7, 1, 10, NOON.plus(HOUR)),
            new WorkItem.StartOrchestration(ORDER_7 + "::sub::11", "Ship", "b", null, linkTo(11)),
            MAIL);
    assertThat(commit.cancelledActivities()).isEmpty();
  }

  @Test
  @DisplayName("RE-230 Completed: only the detached start, the notice and the cancel go out")
  void completed() {
    TurnCommit commit = lastTurn((ctx, in) -> "done", go());

    assertEnded(commit, "completed", new EventKind.OrchestrationCompleted("done"));
    assertThat(commit.orchestratorItems())
        .containsExactly(
            MAIL,
            new WorkItem.SubOrchCompleted("boss", 3, 9, "done"),
            cancelOfChild("parent completed"));
  }

  @Test
  @DisplayName("RE-230 Failed: only the detached start, the notice and the cancel go out")
  void failed() {
    TurnCommit commit =
        lastTurn(
            (ctx, in) -> {
              throw new OrchestrationFailure("sold out");
            },
            go());

    EventKind.OrchestrationFailed terminal =
        (EventKind.OrchestrationFailed) commit.historyDelta().getLast().kind();
    assertThat(terminal.details().displayMessage()).isEqualTo("sold out");
    assertEnded(commit, "failed", terminal);
    assertThat(commit.orchestratorItems())
        .containsExactly(
            MAIL,
            new WorkItem.SubOrchFailed("boss", 3, 9, terminal.details()),
            cancelOfChild("parent failed"));
  }

  @Test
  @DisplayName("RE-230 Cancelled: whatever the code did, also its detached start goes out")
  void cancelled() {
    TurnCommit commit = lastTurn((ctx, in) -> "done", go(), cancel());

    ErrorDetails details =
        new ErrorDetails.Application(new ApplicationErrorKind.Cancelled("no longer needed"), "");
    assertEnded(commit, "cancelled", new EventKind.OrchestrationFailed(details));
    assertThat(commit.orchestratorItems())
        .containsExactly(
            MAIL,
            new WorkItem.SubOrchFailed("boss", 3, 9, details),
            cancelOfChild("parent canceled"));
  }

  @Test
  @DisplayName("RE-230 ContinueAsNew: detached start, cancel and the next execution; no notice")
  void continuedAsNew() {
    TurnCommit commit = lastTurn((ctx, in) -> ctx.continueAsNew("next"), go());

    assertEnded(commit, "continued_as_new", new EventKind.OrchestrationContinuedAsNew("next"));
    assertThat(commit.orchestratorItems())
        .containsExactly(
            MAIL,
            cancelOfChild("parent continued as new"),
            new WorkItem.ContinueAsNew(
                ORDER_7, "Order", "next", null, PARENT, Inheritance.NOTHING, null));
  }

  enum End {
    COMPLETED,
    FAILED,
    PANICKED,
    OVER_A_LIMIT,
    CANCELLED,
    CONTINUED_AS_NEW
  }

  private static String end(OrchestrationContext ctx, End end) {
    return switch (end) {
      case COMPLETED -> "done";
      case FAILED -> throw new OrchestrationFailure("sold out");
      case PANICKED -> throw new IllegalStateException("a bug");
      case OVER_A_LIMIT -> {
        ctx.setCustomStatus("longer than ten bytes");
        yield "done";
      }
      case CANCELLED -> ctx.waitForEvent("never").await();
      case CONTINUED_AS_NEW -> ctx.continueAsNew("next");
    };
  }

  @ParameterizedTest
  @EnumSource(End.class)
  @DisplayName("RE-231 the terminal event is the last and only one, whatever is in flight")
  void terminalIsLast(End end) {
    Random random = new Random(231);
    for (int run = 0; run < 25; run++) {
      Turns turns =
          Turns.of(chaos(random.nextLong(), end))
              .child()
              .limits(Limits.DEFAULT.withCustomStatusBytes(10));
      turns.turn();
      TurnCommit commit = end == End.CANCELLED ? turns.turn(go(), cancel()) : turns.turn(go());
      assertWellFormed(turns.history());
      assertThat(commit.historyDelta().getLast().kind()).isInstanceOf(EventKind.Terminal.class);
      assertThat(commit.metadata().status()).isNotNull();
      assertThat(commit.workerItems()).isEmpty();
      assertThat(Turns.sent(commit, WorkItem.TimerFired.class)).isEmpty();
      assertThat(Turns.sent(commit, WorkItem.StartOrchestration.class)).isEmpty();
    }
  }

  /** Opens a random set of work, gives some of it up, before and after "go". */
  private static OrchestrationCode chaos(long seed, End end) {
    return (ctx, in) -> {
      Random random = new Random(seed);
      open(ctx, random);
      ctx.waitForEvent("go").await();
      open(ctx, random);
      return end(ctx, end);
    };
  }

  private static void open(OrchestrationContext ctx, Random random) {
    for (int i = random.nextInt(8); i > 0; i--) {
      var future =
          switch (random.nextInt(5)) {
            case 0 -> ctx.callActivity("Charge", "x");
            case 1 -> ctx.timer(HOUR);
            case 2 -> ctx.callOrchestration("Ship", "x", ChildOptions.defaults());
            case 3 -> ctx.waitForEvent("w");
            default -> ctx.dequeueEvent("q");
          };
      if (random.nextInt(4) == 0) {
        future.cancel();
      }
    }
  }

  private static void assertWellFormed(List<Event> history) {
    Set<Long> open = new HashSet<>();
    long lastId = 0;
    for (Event event : history) {
      assertThat(event.id()).isEqualTo(++lastId);
      assertThat(event.execution()).isEqualTo(Turns.KEY);
      switch (event.kind()) {
        case EventKind.TimerCreated ignored -> {}
        case EventKind.Schedule ignored -> open.add(event.id());
        case EventKind.ExternalEvent ignored -> {}
        case EventKind.Decision ignored -> assertThat(open.remove(event.source())).isTrue();
        default -> {}
      }
    }
    assertThat(history.stream().filter(e -> e.kind() instanceof EventKind.Terminal)).hasSize(1);
    assertThat(history.getLast().kind()).isInstanceOf(EventKind.Terminal.class);
    Stream<EventKind> leftOpen =
        history.stream().filter(e -> open.contains(e.id())).map(Event::kind);
    assertThat(leftOpen).containsExactly(new EventKind.ExternalSubscribed("go"));
  }
}
