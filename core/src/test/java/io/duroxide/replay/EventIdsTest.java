package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.childScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.externalEvent;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.CONTINUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventIdsTest {
  private static final OrchestrationCode THREE =
      (ctx, in) -> {
        ctx.callActivity("A", "");
        ctx.timer(Duration.ofSeconds(5));
        return ctx.waitForEvent("go").await();
      };
  private static final OrchestrationCode TWO_STEPS =
      (ctx, in) -> ctx.callActivity("A", "").await() + ctx.callActivity("B", "").await();
  private static final OrchestrationCode TWO_CHILDREN =
      (ctx, in) -> {
        DurableFuture<String> first = ctx.callOrchestration("Ship", "1", ChildOptions.defaults());
        DurableFuture<String> second = ctx.callOrchestration("Ship", "2", ChildOptions.defaults());
        return first.await() + second.await();
      };

  private static List<Long> ids(TurnResult result) {
    return result.delta().stream().map(Event::id).toList();
  }

  @Test
  @DisplayName("RE-060 three new schedules after event 1 get 2, 3 and 4")
  void firstIds() {
    assertThat(ids(Engine.fresh(THREE))).containsExactly(2L, 3L, 4L);
  }

  @Test
  @DisplayName("RE-060 messages, actions and decisions of a delta are numbered without gaps")
  void contiguous() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> slow = ctx.callActivity("Slow", "");
          ctx.waitForEvent("go").await();
          ctx.setCustomStatus("giving up");
          slow.cancel();
          return ctx.callActivity("Next", "").await();
        };

    TurnResult result =
        Turns.last(code, batch(), batch(queued("inbox", "hi"), raised("go", "now")));

    assertThat(ids(result)).containsExactly(4L, 5L, 6L, 7L, 8L);
    assertThat(result.delta().getLast())
        .isEqualTo(event(8, 2, new EventKind.ActivityCancelRequested("dropped_future")));
  }

  @Test
  @DisplayName("RE-061 a new schedule after replay gets the maximum plus one")
  void afterReplay() {
    TurnResult result =
        Engine.replay(
            TWO_STEPS, started(""), activityScheduled(2, "A", ""), activityCompleted(3, 2, "a"));

    assertThat(result.delta()).containsExactly(activityScheduled(4, "B", ""));
  }

  @Test
  @DisplayName("RE-062 behind gaps a converted outcome and a new schedule follow the maximum")
  void gaps() {
    TurnResult result =
        Engine.of(TWO_STEPS)
            .history(started(""), activityScheduled(5, "A", ""))
            .turn(activityDone(5, "a"));

    assertThat(result.delta())
        .containsExactly(activityCompleted(6, 5, "a"), activityScheduled(7, "B", ""));
  }

  @Test
  @DisplayName("RE-063 in a history out of order the next id follows the maximum, not the last")
  void outOfOrder() {
    TurnResult result =
        Engine.replay(
            TWO_STEPS, started(""), activityScheduled(9, "A", ""), activityCompleted(4, 9, "a"));

    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.delta()).containsExactly(activityScheduled(10, "B", ""));
  }

  @Test
  @DisplayName("RE-064 an action and its event share the id")
  void sharedId() {
    TurnResult result = Engine.fresh(THREE);

    assertThat(result.actions()).extracting(NewAction::eventId).isEqualTo(ids(result));
    for (NewAction action : result.actions()) {
      assertThat(result.delta())
          .contains(
              event(action.eventId(), NewEvents.of(action.action(), Facts.KEY, action.eventId())));
    }
  }

  @Test
  @DisplayName("RE-065 converted messages precede new actions, wherever they stand in the batch")
  void messagesFirst() {
    TurnResult result =
        Turns.last(
            TWO_STEPS,
            batch(),
            batch(activityDone(2, "a"), raised("late", "1"), raised("late", "2")));

    assertThat(result.delta())
        .containsExactly(
            activityCompleted(3, 2, "a"),
            externalEvent(4, "late", "1"),
            externalEvent(5, "late", "2"),
            activityScheduled(6, "B", ""));
  }

  @Test
  @DisplayName("RE-066 generated child ids of execution 1 name the event, and differ")
  void childIds() {
    TurnResult result = Engine.fresh(TWO_CHILDREN);

    assertThat(result.delta())
        .containsExactly(
            childScheduled(2, "Ship", "sub::2", "1"), childScheduled(3, "Ship", "sub::3", "2"));
    assertThat(result.actions())
        .extracting(NewAction::childInstance)
        .containsExactly("order-7::sub::2", "order-7::sub::3");
  }

  @Test
  @DisplayName("RE-066 generated child ids of later executions name execution and event")
  void childIdsLater() {
    TurnResult result = Engine.of(TWO_CHILDREN).execution(12).started("in").turn();

    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.SubOrchestrationScheduled("Ship", "sub::12_2", "1"),
            new EventKind.SubOrchestrationScheduled("Ship", "sub::12_3", "2"));
    assertThat(result.actions())
        .extracting(NewAction::childInstance)
        .containsExactly("order-7::sub::12_2", "order-7::sub::12_3");
    assertThat(result.delta())
        .extracting(Event::execution)
        .containsOnly(new ExecutionKey(Facts.INSTANCE, 12));
  }

  private static OrchestrationCode child(String explicitId) {
    return (ctx, in) ->
        ctx.callOrchestration("Ship", "1", ChildOptions.instanceId(explicitId)).await();
  }

  @ParameterizedTest(
      name = "RE-067 the explicit child id {0} is kept without prefix",
      quoteTextArguments = false)
  @ValueSource(strings = {"ship-1", "my::child", "subway::1", "x sub::1"})
  @DisplayName("RE-067 an explicit child id is kept without prefix")
  void explicitChildId(String id) {
    TurnResult result = Engine.fresh(child(id));

    assertThat(result.delta()).containsExactly(childScheduled(2, "Ship", id, "1"));
    assertThat(result.actions()).extracting(NewAction::childInstance).containsExactly(id);
    assertThat(Engine.of(child(id)).execution(2).started("").turn().actions())
        .extracting(NewAction::childInstance)
        .containsExactly(id);
  }

  @ParameterizedTest(name = "RE-068 a child recorded as {0} stays {0}", quoteTextArguments = false)
  @ValueSource(strings = {"sub::99", "ship-1"})
  @DisplayName("RE-068 replay uses the recorded child id")
  void recordedChildId(String recorded) {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callOrchestration("Ship", "1", ChildOptions.instanceId("another-id")).cancel();
          return ctx.waitForEvent("go").await();
        };

    TurnResult result = Engine.replay(code, started(""), childScheduled(2, "Ship", recorded, "1"));

    String full = recorded.startsWith("sub::") ? "order-7::" + recorded : recorded;
    assertThat(result.abandoned().children()).containsExactly(new ChildRef(2, full));
    assertThat(result.actions()).extracting(NewAction::childInstance).containsOnlyNulls();
  }

  @Test
  @DisplayName("RE-068 a child that is outstanding at the end is known by its recorded id")
  void recordedChildIdAtTheEnd() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callOrchestration("Ship", "1", ChildOptions.defaults());
          return ctx.waitForEvent("go").await();
        };

    TurnResult result =
        Engine.of(code)
            .history(
                started(""), childScheduled(2, "Ship", "sub::99", "1"), Facts.subscribed(3, "go"))
            .turn(raised("go", "now"));

    assertThat(result.outcome()).isEqualTo(Verdicts.completed("now"));
    assertThat(result.outstanding().children())
        .containsExactly(new ChildRef(2, "order-7::sub::99"));
  }

  @ParameterizedTest(
      name = "RE-069 the explicit child id {0} is rejected",
      quoteTextArguments = false)
  @ValueSource(strings = {"sub::", "sub::7", "order-7::sub::2", "::sub::", "x::sub::y"})
  @DisplayName("RE-069 explicit child ids that look generated are rejected")
  void reservedChildId(String id) {
    TurnResult result = Engine.fresh(child(id));

    ErrorDetails details = Verdicts.failure(result);
    assertThat(details).isInstanceOf(ErrorDetails.Application.class);
    assertThat(((ErrorDetails.Application) details).kind())
        .isEqualTo(ApplicationErrorKind.PANICKED);
    assertThat(details.displayMessage()).contains("'" + id + "' is reserved");
    Verdicts.nothingNew(result);
  }

  @Test
  @DisplayName("an empty child id is rejected where it is given")
  void emptyChildId() {
    assertThatThrownBy(() -> ChildOptions.instanceId(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("instance id has 0 bytes");
  }
}
