package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RACE: what arrives while an instance is between two executions, or starts twice (8.4, 8.6). */
@Needs.Node
public abstract class ContinuationRaceTck extends RuntimeSteps {
  private static final Orchestration<String, String> FLOW = orchestration(Items.ORCHESTRATION);
  private static final Orchestration<String, String> OTHER = orchestration("Other");
  private static final Orchestration<String, String> PARENT = orchestration("Parent");
  private static final String MAILBOX = "mailbox";
  private static final String LATER = "2.0.0";
  private static final Duration BACK_OFF = Duration.ofSeconds(1);

  /** For subclasses. */
  protected ContinuationRaceTck() {}

  @Test
  @DisplayName("TCK-RACE-01 a second start leaves a running instance its handler and its input")
  void secondStart() {
    OrchestrationHandler<String, String> one =
        (ctx, input) -> "one " + input + " " + ctx.callActivity("Work", "").await();
    DuroxideRuntime first =
        node(
            provider,
            options().workerConcurrency(0),
            node -> node.orchestration(FLOW, Items.VERSION, one));
    for (String x : List.of("x", "y")) {
      client().start(FLOW, x, "original");
      awaitEvents(x, EventKind.ActivityScheduled.class, 1);
    }
    stop(first);

    batch(startOf(FLOW, "x", LATER), Items.completed("x", 2));
    batch(startOf(OTHER, "y", Items.VERSION), Items.completed("y", 2));
    node(node ->
        node.orchestration(FLOW, Items.VERSION, one)
            .orchestration(FLOW, LATER, (ctx, input) -> "two " + input)
            .orchestration(OTHER, (ctx, input) -> "other " + input));

    for (String x : List.of("x", "y")) {
      assertThat(output(x)).isEqualTo("one original result-2");
      assertThat(kinds(provider.read(x), EventKind.OrchestrationStarted.class)).hasSize(1);
    }
  }

  private static WorkItem startOf(Orchestration<?, ?> target, String instance, String version) {
    return new WorkItem.StartOrchestration(instance, target.name(), "second", version, null);
  }

  @Test
  @DisplayName("TCK-RACE-02 what comes while a continue-as-new rests follows what it carries")
  void unregisteredRest() {
    AtomicInteger handedBack = new AtomicInteger();
    Provider observed =
        new InstrumentedProvider(
            provider,
            operation -> {
              if (operation.operation().equals("abandonOrchestrationItem")) {
                handedBack.incrementAndGet();
              }
            });
    OrchestrationHandler<String, String> one =
        (ctx, input) -> {
          ctx.waitForEvent("go").await();
          return ctx.continueAsNew("next", ContinueOptions.version(LATER));
        };
    DuroxideRuntime first =
        node(
            observed,
            options().fetchOnlyRegistered(false).unregisteredBackoff(BACK_OFF, BACK_OFF),
            node -> node.orchestration(FLOW, Items.VERSION, one));
    client().start(FLOW, "x", "");
    awaitEvents("x", EventKind.ExternalSubscribed.class, 1);
    batch(message("x", "1"), message("x", "2"), new WorkItem.ExternalRaised("x", "go", ""));
    until("the successor was handed back", () -> handedBack.get() > 0);

    client().enqueue("x", MAILBOX, "3");
    stop(first);
    node(node ->
        node.orchestration(FLOW, Items.VERSION, one)
            .orchestration(FLOW, LATER, (ctx, input) -> input + taken(ctx, 3)));
    advance(BACK_OFF.plus(SLACK));

    assertThat(output("x")).isEqualTo("next123");
  }

  private static WorkItem message(String instance, String data) {
    return new WorkItem.QueueMessage(instance, MAILBOX, data);
  }

  /** The next messages of the mailbox, one after the other. */
  private static String taken(OrchestrationContext ctx, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(ctx.dequeueEvent(MAILBOX).await());
    }
    return text.toString();
  }

  @Test
  @DisplayName("TCK-RACE-03 a start ahead of a continue-as-new does not take its place")
  void startBeforeContinuation() {
    create("x");
    endForContinue("x");
    List<Event> before = provider.readWithExecution(first("x"));
    DuroxideRuntime parents =
        node(node -> node.orchestration(PARENT, ContinuationRaceTck::callsExisting));
    client().start(PARENT, "p", "");
    awaitEvents("p", EventKind.SubOrchestrationScheduled.class, 1);
    stop(parents);
    enqueue(continuation("x", "from the instance"));

    node(node ->
        node.orchestration(FLOW, (ctx, input) -> ctx.executionId() + " " + input)
            .orchestration(PARENT, ContinuationRaceTck::callsExisting));

    assertThat(output("x")).isEqualTo("2 from the instance");
    assertThat(output("p")).contains("already exists");
    assertThat(provider.readWithExecution(first("x"))).isEqualTo(before);
  }

  private static String callsExisting(OrchestrationContext ctx, String input) {
    try {
      return ctx.call(FLOW, "from the parent", ChildOptions.instanceId("x")).await();
    } catch (OrchestrationFailure refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static WorkItem continuation(String instance, String input) {
    return new WorkItem.ContinueAsNew(
        instance, Items.ORCHESTRATION, input, Items.VERSION, null, Inheritance.NOTHING, null);
  }

  @Test
  @DisplayName("TCK-RACE-04 what arrives between two executions is delivered once or not at all")
  void betweenExecutions() {
    for (String x : List.of("x", "cancelled")) {
      create(x);
      endForContinue(x);
    }
    enqueue(continuation("cancelled", "next"));
    enqueue(continuation("x", "next"));
    enqueue(message("x", "1"));
    enqueue(new WorkItem.ExternalRaised("x", "signal", "early"));
    enqueue(new WorkItem.ActivityCompleted("x", 1, 2, "stale"));
    enqueue(new WorkItem.ActivityCompleted("x", 3, 2, "from the future"));
    enqueue(message("x", "2"));
    enqueue(Items.cancel("cancelled"));

    node(node ->
        node.activity(activity("Work"), (ctx, input) -> "done")
            .orchestration(
                FLOW,
                (ctx, input) -> {
                  String work = ctx.callActivity("Work", "").await();
                  String messages = taken(ctx, 2);
                  return work + messages + ctx.waitForEvent("signal").await();
                }));
    awaitEvents("x", EventKind.ExternalSubscribed.class, 1);
    client().raiseEvent("x", "signal", "late");

    assertThat(output("x")).isEqualTo("done12late");
    List<Event> history = provider.read("x");
    assertThat(history.getFirst().execution()).isEqualTo(new ExecutionKey("x", 2));
    assertThat(kinds(history, EventKind.QueueEventDelivered.class)).hasSize(2);
    assertThat(kinds(history, EventKind.ActivityCompleted.class))
        .extracting(EventKind.ActivityCompleted::result)
        .containsExactly("done");
    assertThat(kinds(history, EventKind.ExternalEvent.class))
        .extracting(EventKind.ExternalEvent::data)
        .containsExactly("early", "late");
    assertThat(failureOf("cancelled")).contains("no longer needed");
  }

  @Test
  @DisplayName("TCK-RACE-06 what nobody read before a continue-as-new is carried, in order")
  void unreadArrivals() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          if (ctx.executionId() > 1) {
            return input + taken(ctx, 3);
          }
          if (input.equals("given up")) {
            ctx.dequeueEvent(MAILBOX).cancel();
          }
          ctx.waitForEvent("go").await();
          return ctx.continueAsNew(input);
        };
    List<String> shapes = List.of("before", "after", "around", "given up");
    DuroxideRuntime first = node(node -> node.orchestration(FLOW, code));
    for (String x : shapes) {
      client().start(FLOW, x, x);
      awaitEvents(x, EventKind.ExternalSubscribed.class, 1);
    }
    stop(first);
    arrive("before", "1", "2", "3", "go");
    arrive("after", "go", "1", "2", "3");
    arrive("around", "1", "go", "2", "3");
    arrive("given up", "1", "2", "go", "3");

    node(node -> node.orchestration(FLOW, code));

    for (String x : shapes) {
      assertThat(output(x)).isEqualTo(x + "123");
      assertThat(kinds(provider.readWithExecution(first(x)), EventKind.QueueEventDelivered.class))
          .as(x)
          .hasSize(3);
    }
  }

  /** Messages, and the event that ends the execution, in one batch. */
  private void arrive(String instance, String... what) {
    batch(
        Arrays.stream(what)
            .map(data ->
                data.equals("go")
                    ? new WorkItem.ExternalRaised(instance, data, "")
                    : message(instance, data))
            .toArray(WorkItem[]::new));
  }
}
