package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityHandler;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Everything happens on the thread of the test, one after the other. */
@DisplayName("The recorded run of an activity")
class RecordedAttemptTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);
  private static final Duration LOCK = Duration.ofSeconds(30);
  private static final Duration TOOK = Duration.ofSeconds(5);
  private static final ActivityAttempt FIRST = new ActivityAttempt(Turns.NOON, "work-till-3", 1);

  /** A time in which no lock needs to be renewed. */
  private static final Waiting STILL =
      new Waiting() {
        @Override
        public long nanoTime() {
          return 0;
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
          new CountDownLatch(1).await();
        }
      };

  private final Node node =
      new Node(
          OrchestrationRegistry.builder()
              .register(
                  ORDER,
                  (ctx, in) -> {
                    ctx.newGuid();
                    ActivityOptions options = ActivityOptions.options();
                    return ctx.call(WORK, in, in.isEmpty() ? options : options.session(in)).await();
                  })
              .build());

  @AfterEach
  void close() {
    node.close();
  }

  /** Takes the activity of a new instance and processes it, as the given attempt. */
  private EventKind outcome(String session, int attempt, ActivityHandler<String, String> handler)
      throws InterruptedException {
    node.send(new WorkItem.StartOrchestration(Turns.ORDER_7, "Order", session, null, null));
    node.step();
    RuntimeParts parts = parts(handler);
    Slots slots = new Slots(1);
    Sessions sessions = new Sessions(parts.options(), parts.runtimeId(), slots, parts.signals());
    LockedWork fetched =
        node.provider
            .fetchWorkItem(
                WorkFetch.of(LOCK, Duration.ZERO)
                    .withSession(new SessionFetchConfig(sessions.ownerId(), LOCK, 1)))
            .orElseThrow();
    if (!session.isEmpty()) {
      assertThat(sessions.register(session)).isTrue();
    }
    try (LeaseKeeper leases = new LeaseKeeper(parts)) {
      new ActivityProcessor(
              parts, leases, new RunningActivities(), sessions, Node.steps(parts, slots))
          .process(
              new LockedWork(fetched.key(), fetched.item(), null, fetched.lockToken(), attempt),
              new Release(() -> {}),
              false);
    }
    node.step();
    return answer(fetched.key().activityId()).kind();
  }

  private RuntimeParts parts(ActivityHandler<String, String> handler) {
    return new RuntimeParts(
        "node",
        node.provider,
        OrchestrationRegistry.builder().build(),
        ActivityRegistry.builder().register(WORK, handler).build(),
        RuntimeOptions.builder().workerNodeId("till-3").build(),
        STILL,
        Node.unheard());
  }

  private Event answer(@Nullable Long source) {
    return node.history(1).stream()
        .filter(event -> source != null && source.equals(event.source()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("a result says when its handler was called, by whom, and in which attempt")
  void completed() throws InterruptedException {
    EventKind outcome =
        outcome(
            "",
            1,
            (ctx, in) -> {
              node.advance(TOOK);
              return "paid";
            });

    assertThat(outcome).isEqualTo(new EventKind.ActivityCompleted("paid", FIRST));
    assertThat(node.history(1).getLast().stamp().at()).isEqualTo(Turns.NOON.plus(TOOK));
  }

  @Test
  @DisplayName("a failure says the same")
  void failed() throws InterruptedException {
    EventKind outcome =
        outcome(
            "",
            3,
            (ctx, in) -> {
              node.advance(TOOK);
              throw new IllegalStateException("declined");
            });

    assertThat(outcome)
        .isInstanceOfSatisfying(
            EventKind.ActivityFailed.class,
            failed -> {
              assertThat(failed.details().displayMessage()).contains("declined");
              assertThat(failed.attempt())
                  .isEqualTo(new ActivityAttempt(Turns.NOON, "work-till-3", 3));
            });
  }

  @Test
  @DisplayName("a result of a session says the same")
  void session() throws InterruptedException {
    assertThat(outcome("till", 1, (ctx, in) -> "paid"))
        .isEqualTo(new EventKind.ActivityCompleted("paid", FIRST));
  }

  @Test
  @DisplayName("a poisoned activity and a recorded id have none, for no handler was called")
  void noRun() throws InterruptedException {
    EventKind poisoned = outcome("", 1_000, (ctx, in) -> "never");

    assertThat(poisoned)
        .isInstanceOfSatisfying(
            EventKind.ActivityFailed.class, failed -> assertThat(failed.attempt()).isNull());
    assertThat(node.history(1).stream().map(Event::kind))
        .filteredOn(EventKind.ActivityCompleted.class::isInstance)
        .singleElement()
        .isInstanceOfSatisfying(
            EventKind.ActivityCompleted.class, guid -> assertThat(guid.attempt()).isNull());
  }
}
