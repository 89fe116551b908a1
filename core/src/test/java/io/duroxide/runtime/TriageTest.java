package io.duroxide.runtime;

import static io.duroxide.runtime.Turns.KEY;
import static io.duroxide.runtime.Turns.NOON;
import static io.duroxide.runtime.Turns.ORDER_7;
import static io.duroxide.runtime.Turns.PARENT;
import static io.duroxide.runtime.Turns.STAMP;
import static io.duroxide.runtime.Turns.cancel;
import static io.duroxide.runtime.Turns.go;
import static io.duroxide.runtime.Turns.queued;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.replay.OrchestrationCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TriageTest {
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);
  private static final OrchestrationRegistry REGISTRY =
      OrchestrationRegistry.builder()
          .register(ORDER, "1.0.0", (ctx, in) -> "v1")
          .register(ORDER, "2.0.0", (ctx, in) -> "v2")
          .build();
  private static final ParentLink OTHER = new ParentLink("someone else", 1, 2);

  private static Triage.Verdict triage(List<Event> history, WorkItem... messages) {
    return triage(REGISTRY, history, messages);
  }

  private static Triage.Verdict triage(
      OrchestrationRegistry registry, List<Event> history, WorkItem... messages) {
    OrchestrationItem item =
        new OrchestrationItem(
            KEY,
            "unknown",
            "unknown",
            StoredHistory.of(history),
            new MessageBatch(List.of(messages), null));
    List<SemverRange> supported =
        List.of(new SemverRange(Semver.of(0, 0, 0), FrameworkVersion.CURRENT));
    return new Triage(registry, supported, STAMP).of(item, null);
  }

  private static OrchestrationCode code(String version) {
    return REGISTRY.resolve("Order", version).orElseThrow().code();
  }

  private static Triage.Run run(List<Event> history, WorkItem... messages) {
    return (Triage.Run) triage(history, messages);
  }

  private static Triage.Drain drained(List<Event> history, WorkItem... messages) {
    return (Triage.Drain) triage(history, messages);
  }

  private static WorkItem start(String version, ParentLink parent) {
    return new WorkItem.StartOrchestration(ORDER_7, "Order", "in", version, parent);
  }

  private static EventKind.OrchestrationStarted started(String version, ParentLink parent) {
    return new EventKind.OrchestrationStarted("Order", version, "in", parent, Inheritance.NOTHING);
  }

  private static List<Event> recorded(EventKind... kinds) {
    List<Event> events = new ArrayList<>();
    for (EventKind kind : kinds) {
      events.add(new Event(KEY, events.size() + 1, null, STAMP, kind));
    }
    return events;
  }

  /** Nothing is recorded yet. */
  @Nested
  class NewInstance {
    @Test
    @DisplayName("RE-238 the start gives name, version, input and parent, and becomes event 1")
    void startParameters() {
      Triage.Run run = run(List.of(), go(), start("1.0.0", PARENT), queued("q", "m"));

      assertThat(run.start())
          .isEqualTo(
              new TurnStart(
                  KEY,
                  started("1.0.0", PARENT),
                  new Event(KEY, 1, null, STAMP, started("1.0.0", PARENT)),
                  List.of(),
                  new Arrivals(List.of(go(), queued("q", "m")), List.of()),
                  null,
                  null));
      assertThat(run.code()).isSameAs(code("1.0.0"));
      assertThat(run.start().arrivals().answers()).isEmpty();
    }

    @Test
    @DisplayName("RE-238 a start without version is stamped with the one the policy chose")
    void policyVersion() {
      assertThat(run(List.of(), start(null, null)).start().started().version()).isEqualTo("2.0.0");
    }

    @Test
    @DisplayName("RE-238 a second start in the batch is ignored; its parent, if another, is told")
    void secondStart() {
      Triage.Run run =
          run(List.of(), start("1.0.0", PARENT), start("2.0.0", null), start("2.0.0", PARENT));

      assertThat(run.start().started()).isEqualTo(started("1.0.0", PARENT));
      assertThat(run.start().arrivals().messages()).isEmpty();
      assertThat(run.start().arrivals().answers()).isEmpty();
      assertThat(
              run(List.of(), start("1.0.0", PARENT), start("1.0.0", OTHER))
                  .start()
                  .arrivals()
                  .answers())
          .singleElement()
          .satisfies(TriageTest::isRefusalToOther);
    }

    @Test
    @DisplayName("RE-238 messages without an instance are consumed without effect")
    void messagesWithoutInstance() {
      assertThat(
              drained(List.of(), go(), new WorkItem.ActivityCompleted(ORDER_7, 1, 2, "x"))
                  .answers())
          .isEmpty();
    }

    @Test
    @DisplayName("RE-238 an empty batch without an instance is consumed")
    void emptyBatch() {
      assertThat(drained(List.of()).answers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.0.0", "not a version"})
    @DisplayName("RE-238 a version that is not registered exactly finds no handler")
    void unknownVersion(String version) {
      assertThat(triage(List.of(), start(version, null)))
          .isInstanceOfSatisfying(
              Triage.Unregistered.class,
              verdict -> {
                assertThat(verdict.name()).isEqualTo("Order");
                assertThat(verdict.version()).isEqualTo(version);
              });
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "3.0.0")
    @DisplayName("RE-238 a cancelled start needs no handler: requested version, else 0.0.0")
    void cancelledWithoutHandler(String version) {
      WorkItem unknown = new WorkItem.StartOrchestration(ORDER_7, "Gone", "in", version, null);
      Triage.Run run = run(List.of(), unknown, cancel());

      assertThat(run.start().started().version()).isEqualTo(version == null ? "0.0.0" : version);
      assertThat(run.start().arrivals().messages()).containsExactly(cancel());
    }

    @Test
    @DisplayName("RE-238 a cancel from somebody else's parent does not end a start without handler")
    void foreignCancelWithoutHandler() {
      WorkItem unknown = new WorkItem.StartOrchestration(ORDER_7, "Gone", "in", null, PARENT);

      assertThat(triage(List.of(), unknown, new WorkItem.CancelInstance(ORDER_7, "not you", OTHER)))
          .isInstanceOf(Triage.Unregistered.class);
      assertThat(triage(List.of(), unknown, new WorkItem.CancelInstance(ORDER_7, "you", PARENT)))
          .isInstanceOf(Triage.Run.class);
    }
  }

  /** The batch holds a continuation. */
  @Nested
  class Continuation {
    private static final List<Event> ENDED =
        recorded(started("1.0.0", PARENT), new EventKind.OrchestrationContinuedAsNew("next"));
    private static final WorkItem NEXT =
        new WorkItem.ContinueAsNew(
            ORDER_7,
            "Order",
            "next",
            null,
            PARENT,
            new Inheritance(
                List.of(new CarriedEvent("q", "1"), new CarriedEvent("r", "2")), "status", null),
            null);

    @Test
    @DisplayName("RE-238 a continuation begins the next execution with everything it carries")
    void parameters() {
      TurnStart start = run(ENDED, NEXT).start();

      ExecutionKey second = new ExecutionKey(ORDER_7, 2);
      var expected =
          new EventKind.OrchestrationStarted(
              "Order",
              "2.0.0",
              "next",
              PARENT,
              new Inheritance(
                  List.of(new CarriedEvent("q", "1"), new CarriedEvent("r", "2")), "status", null));
      assertThat(start.key()).isEqualTo(second);
      assertThat(start.started()).isEqualTo(expected);
      assertThat(start.firstEvent()).isEqualTo(new Event(second, 1, null, STAMP, expected));
      assertThat(start.history()).isEmpty();
    }

    @Test
    @DisplayName("RE-236 carried messages stand before whatever arrived, wherever the item stands")
    void carriedFirst() {
      assertThat(
              run(ENDED, queued("q", "3"), NEXT, go(), queued("q", "4"))
                  .start()
                  .arrivals()
                  .messages())
          .containsExactly(
              queued("q", "1"), queued("r", "2"), queued("q", "3"), go(), queued("q", "4"));
    }

    @Test
    @DisplayName("RE-236 the next execution meets carried messages first, and each only once")
    void deliveredOnce() {
      Turns turns =
          Turns.of(
                  (ctx, in) -> {
                    StringBuilder seen = new StringBuilder();
                    for (int i = 0; i < 3; i++) {
                      seen.append(ctx.dequeueEvent("q").await());
                    }
                    ctx.setCustomStatus(seen.toString());
                    ctx.dequeueEvent("q").await();
                    return "a fourth message";
                  })
              .continued(null, new CarriedEvent("q", "1"), new CarriedEvent("q", "2"));
      var first = turns.turn(queued("q", "1"), queued("q", "2"), queued("q", "3"));

      assertThat(Turns.kinds(first).subList(1, 4))
          .containsExactly(
              new EventKind.QueueEventDelivered("q", "1"),
              new EventKind.QueueEventDelivered("q", "2"),
              new EventKind.QueueEventDelivered("q", "3"));
      assertThat(Turns.kinds(first)).contains(new EventKind.CustomStatusUpdated("123"));
      assertThat(first.metadata().status()).isNull();
      assertThat(turns.turn().historyDelta()).isEmpty();
    }

    @Test
    @DisplayName(
        "RE-238 without its item a continued instance has nothing to do, and loses nothing")
    void withoutItem() {
      assertThat(triage(ENDED, go()))
          .isEqualTo(new Triage.Unbegun(new Triage.Drain("the instance has ended", List.of())));
    }

    @Test
    @DisplayName("RE-238 a continuation to an unknown version finds no handler for execution 2")
    void unknownVersion() {
      WorkItem unknown =
          new WorkItem.ContinueAsNew(
              ORDER_7, "Order", "next", "9.0.0", null, Inheritance.NOTHING, null);

      assertThat(triage(ENDED, unknown))
          .isInstanceOfSatisfying(
              Triage.Unregistered.class,
              verdict -> {
                assertThat(verdict.start().key()).isEqualTo(new ExecutionKey(ORDER_7, 2));
                assertThat(verdict.start().started().version()).isEqualTo("9.0.0");
              });
    }
  }

  /** A history exists. */
  @Nested
  class KnownInstance {
    private static final List<Event> RUNNING =
        recorded(started("1.0.0", PARENT), new EventKind.ExternalSubscribed("go"));

    @Test
    @DisplayName("RE-238 a batch of completions takes everything from history, also the version")
    void completionsOnly() {
      Triage.Run run = run(RUNNING, go());

      assertThat(run.start())
          .isEqualTo(
              new TurnStart(
                  KEY,
                  started("1.0.0", PARENT),
                  null,
                  RUNNING,
                  new Arrivals(List.of(go()), List.of()),
                  null,
                  null));
      assertThat(run.code()).isSameAs(code("1.0.0"));
    }

    @Test
    @DisplayName("RE-238 an empty batch runs a turn without messages")
    void emptyBatch() {
      assertThat(run(RUNNING).start().arrivals().messages()).isEmpty();
    }

    @Test
    @DisplayName("RE-238 a duplicate start contributes nothing, neither name nor version nor input")
    void duplicateStart() {
      WorkItem duplicate =
          new WorkItem.StartOrchestration(ORDER_7, "Other", "other", "2.0.0", null);
      Triage.Run run = run(RUNNING, duplicate, go(), start("2.0.0", PARENT));

      assertThat(run.start().started()).isEqualTo(started("1.0.0", PARENT));
      assertThat(run.start().arrivals().messages()).containsExactly(go());
      assertThat(run.code()).isSameAs(code("1.0.0"));
      assertThat(run.start().arrivals().answers()).isEmpty();
    }

    @Test
    @DisplayName("RE-238 a duplicate start of another parent is answered, and the turn runs")
    void foreignStart() {
      assertThat(run(RUNNING, start(null, OTHER)).start().arrivals().answers())
          .singleElement()
          .satisfies(TriageTest::isRefusalToOther);
    }

    @Test
    @DisplayName("RE-238 a stray continuation does not touch a running execution")
    void strayContinuation() {
      WorkItem stray =
          new WorkItem.ContinueAsNew(ORDER_7, "Order", "x", null, null, Inheritance.NOTHING, null);

      assertThat(run(RUNNING, stray).start().key()).isEqualTo(KEY);
    }

    @Test
    @DisplayName("RE-239 version 0.0.0 in history lets the policy choose")
    void placeholderVersion() {
      List<Event> history = recorded(started("0.0.0", null));

      assertThat(run(history, go()).code()).isSameAs(code("2.0.0"));
      OrchestrationRegistry pinned =
          OrchestrationRegistry.builder()
              .merge(REGISTRY)
              .policy("Order", new VersionPolicy.Exact(Semver.of(1, 0, 0)))
              .build();
      assertThat(((Triage.Run) triage(pinned, history, go())).code()).isSameAs(code("1.0.0"));
    }

    @Test
    @DisplayName("RE-238 a recorded version that is not registered is not replaced by another")
    void unregisteredVersion() {
      assertThat(triage(recorded(started("1.5.0", null)), go()))
          .isInstanceOfSatisfying(
              Triage.Unregistered.class,
              verdict -> assertThat(verdict.version()).isEqualTo("1.5.0"));
    }

    @Test
    @DisplayName("RE-238 an execution pinned to a newer framework is not for this node")
    void incompatible() {
      EventStamp newer = new EventStamp(NOON, "99.0.0");
      List<Event> history = List.of(new Event(KEY, 1, null, newer, started("1.0.0", null)));

      assertThat(triage(history, go()))
          .isInstanceOfSatisfying(
              Triage.Incompatible.class,
              verdict -> assertThat(verdict.pinned()).isEqualTo(Semver.of(99, 0, 0)));
    }
  }

  /** Nothing more can happen to the instance. */
  @Nested
  class EndedInstance {
    private static final EventKind.Terminal COMPLETED = new EventKind.OrchestrationCompleted("out");
    private static final ErrorDetails DETAILS =
        new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, "no");

    @Test
    @DisplayName("RE-238 whatever reaches an instance that ended is consumed without effect")
    void drains() {
      WorkItem stray =
          new WorkItem.ContinueAsNew(ORDER_7, "Order", "x", null, null, Inheritance.NOTHING, null);
      for (EventKind.Terminal terminal :
          List.of(COMPLETED, new EventKind.OrchestrationFailed(DETAILS))) {
        List<Event> history = recorded(started("1.0.0", null), terminal);
        assertThat(drained(history, go(), cancel(), queued("q", "m"), start(null, null)).answers())
            .isEmpty();
        assertThat(drained(history, stray).answers()).isEmpty();
        assertThat(drained(history).answers()).isEmpty();
      }
    }

    @Test
    @DisplayName("RE-238 a repeated start of the same parent gets the outcome again")
    void repeatsTheOutcome() {
      assertThat(
              drained(recorded(started("1.0.0", PARENT), COMPLETED), start(null, PARENT)).answers())
          .containsExactly(new WorkItem.SubOrchCompleted("boss", 3, 9, "out"));
      assertThat(
              drained(
                      recorded(
                          started("1.0.0", PARENT), new EventKind.OrchestrationFailed(DETAILS)),
                      start(null, PARENT))
                  .answers())
          .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, DETAILS));
    }

    @Test
    @DisplayName("RE-238 a start of another parent is refused, never answered with the outcome")
    void refusesAnotherParent() {
      assertThat(
              drained(recorded(started("1.0.0", PARENT), COMPLETED), start(null, OTHER)).answers())
          .singleElement()
          .satisfies(TriageTest::isRefusalToOther);
    }
  }

  private static void isRefusalToOther(WorkItem answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            WorkItem.SubOrchFailed.class,
            failed -> {
              assertThat(failed.instance()).isEqualTo(OTHER.instance());
              assertThat(failed.executionId()).isEqualTo(OTHER.executionId());
              assertThat(failed.id()).isEqualTo(OTHER.scheduleId());
              assertThat(failed.details().reachesCode()).isTrue();
              assertThat(failed.details().displayMessage()).contains("'order-7' already exists");
            });
  }
}
