package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.Choice;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderOperation;
import io.duroxide.provider.TurnCommit;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LOCK and RACE: runtimes on the provider, their decisions and their neighbours (8.4, 13). */
@Needs.Node
public abstract class RuntimeRaceTck extends RuntimeSteps {
  private static final Orchestration<String, String> FLOW = orchestration(Items.ORCHESTRATION);
  private static final Orchestration<String, String> PARENT = orchestration("Parent");
  private static final Orchestration<String, String> CHILD = orchestration("Child");
  private static final String MAILBOX = "mailbox";
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofHours(1);
  private static final int PARENTS = 20;
  private static final int CHILDREN = 5;
  private static final int SIGNALS = 6;

  /** For subclasses. */
  protected RuntimeRaceTck() {}

  @Test
  @DisplayName("TCK-LOCK-23 many parents and children that finish together do not deadlock")
  void finishTogether() {
    Queue<ProviderOperation> contended = new ConcurrentLinkedQueue<>();
    Provider observed =
        new InstrumentedProvider(
            provider,
            operation -> {
              if (operation
                  .outcome()
                  .equals(
                      new ProviderOperation.Outcome.Failure(ProviderException.Kind.CONTENTION))) {
                contended.add(operation);
              }
            });
    node(
        observed,
        options().minPollInterval(Duration.ofMillis(1)),
        node ->
            node.orchestration(
                    PARENT,
                    (ctx, input) ->
                        String.join(
                            "",
                            ctx.all(
                                IntStream.range(0, CHILDREN)
                                    .mapToObj(i -> ctx.call(CHILD, "" + i, childOf(input, i)))
                                    .toList())))
                .orchestration(
                    CHILD,
                    (ctx, input) -> {
                      ctx.timer(SHORT).await();
                      return input;
                    }));
    List<String> parents = IntStream.range(0, PARENTS).mapToObj(i -> "p-" + i).toList();
    parents.forEach(parent -> client().start(PARENT, parent, parent));
    for (String parent : parents) {
      for (int i = 0; i < CHILDREN; i++) {
        awaitEvents(parent + "-" + i, EventKind.TimerCreated.class, 1);
      }
    }

    advance(SHORT.plus(SLACK));

    assertThat(parents).allSatisfy(parent -> assertThat(output(parent)).isEqualTo("01234"));
    assertThat(contended).isEmpty();
  }

  private static ChildOptions childOf(String parent, int number) {
    return ChildOptions.instanceId(parent + "-" + number);
  }

  @Test
  @DisplayName("TCK-RACE-05 a race between a mailbox and a timer replays as it was decided")
  void queueRaces() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          String raced = raced(ctx);
          ctx.waitForEvent("go").await();
          return raced + ctx.dequeueEvent(MAILBOX).await() + ctx.dequeueEvent(MAILBOX).await();
        };
    List<String> shapes = List.of("in time", "together", "too late");
    DuroxideRuntime recording = node(node -> node.orchestration(FLOW, code));
    for (String x : shapes) {
      client().start(FLOW, x, "");
      awaitEvents(x, EventKind.TimerCreated.class, 1);
    }
    stop(recording);
    batch(message("in time", "1"), message("in time", "2"), message("in time", "3"));
    batch(message("together", "1"), timer("together"), message("together", "2"));
    batch(message("together", "3"));
    batch(timer("too late"));
    advance(1);
    batch(message("too late", "1"), message("too late", "2"));
    recording = node(node -> node.orchestration(FLOW, code));
    for (String x : shapes) {
      awaitEvents(x, EventKind.ExternalSubscribed.class, 1);
    }
    stop(recording);
    List<List<Event>> recorded = shapes.stream().map(provider::read).toList();

    node(provider, options().cachedExecutions(0), node -> node.orchestration(FLOW, code));
    shapes.forEach(x -> client().raiseEvent(x, "go", ""));

    assertThat(shapes.stream().map(this::output)).containsExactly("123", "123", "timer12");
    for (int i = 0; i < shapes.size(); i++) {
      assertThat(provider.read(shapes.get(i))).startsWith(recorded.get(i).toArray(Event[]::new));
    }
  }

  private static String raced(OrchestrationContext ctx) {
    return switch (ctx.select(ctx.dequeueEvent(MAILBOX), ctx.timer(LONG))) {
      case Choice.First<String, Instant> message -> message.value();
      case Choice.Second<String, Instant> timer -> "timer";
    };
  }

  private static WorkItem message(String instance, String data) {
    return new WorkItem.QueueMessage(instance, MAILBOX, data);
  }

  /** The instance's timer, early. */
  private WorkItem timer(String instance) {
    return Items.timer(instance, 3, provider.now());
  }

  @Test
  @DisplayName("TCK-RACE-07 signals beside a long timer: kept and replayed runs are the same")
  void signalsBesideTimer() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          StringBuilder seen = new StringBuilder();
          for (int i = 0; i < SIGNALS; i++) {
            switch (ctx.select(ctx.waitForEvent("signal"), ctx.timer(LONG))) {
              case Choice.First<String, Instant> signal -> seen.append(signal.value());
              case Choice.Second<String, Instant> timer -> seen.append("timer");
            }
          }
          return seen.toString();
        };
    DuroxideRuntime kept = node(node -> node.orchestration(FLOW, code));
    String live = signalled("live");
    stop(kept);
    node(provider, options().cachedExecutions(0), node -> node.orchestration(FLOW, code));

    assertThat(live).isEqualTo("012345");
    assertThat(signalled("replayed")).isEqualTo(live);
    assertThat(shape(provider.read("replayed"))).isEqualTo(shape(provider.read("live")));
  }

  private String signalled(String instance) {
    client().start(FLOW, instance, "");
    for (int i = 0; i < SIGNALS; i++) {
      awaitEvents(instance, EventKind.ExternalSubscribed.class, i + 1);
      client().raiseEvent(instance, "signal", Integer.toString(i));
    }
    return output(instance);
  }

  @Test
  @DisplayName("TCK-RACE-08 an execution of an older version keeps what that version decided")
  void olderVersion() {
    Semver older = Semver.of(0, 0, 7);
    start("x");
    ExecutionKey key = first("x");
    EventStamp stamp = new EventStamp(Events.STAMP.at(), older.toString());
    List<Event> written = new ArrayList<>();
    for (EventKind kind :
        List.of(
            new EventKind.OrchestrationStarted(
                Items.ORCHESTRATION, Items.VERSION, "\"together\"", null, Inheritance.NOTHING),
            new EventKind.QueueSubscribed(MAILBOX),
            new EventKind.TimerCreated(Events.STAMP.at().plus(LONG)))) {
      written.add(new Event(key, written.size() + 1, null, stamp, kind));
    }
    written.add(
        new Event(key, 4, 3L, stamp, new EventKind.TimerFired(Events.STAMP.at().plus(LONG))));
    written.add(new Event(key, 5, null, stamp, new EventKind.QueueEventDelivered(MAILBOX, "1")));
    ack(fetched("x"), TurnCommit.events(1, written, identity().withPinnedVersion(older)));

    node(node ->
        node.orchestration(FLOW, (ctx, input) -> raced(ctx) + ctx.dequeueEvent(MAILBOX).await()));
    poke("x");

    assertThat(output("x")).isEqualTo("timer1");
    List<Event> history = provider.read("x");
    assertThat(history).startsWith(written.toArray(Event[]::new));
    assertThat(history.getLast().stamp().frameworkVersion()).isNotEqualTo(older.toString());
  }

  @Test
  @DisplayName("TCK-RACE-09 a child on one node answers its parent's second execution on another")
  void childElsewhere() {
    Provider elsewhere =
        fixture().features().contains(Feature.TWO_HANDLES) ? secondHandle() : provider;
    node(node ->
        node.orchestration(
            PARENT,
            (ctx, input) ->
                ctx.executionId() == 1
                    ? ctx.continueAsNew(input + "2")
                    : input + ctx.call(CHILD, "c").await()));
    node(
        elsewhere,
        options(),
        node -> node.orchestration(CHILD, (ctx, input) -> input + ctx.executionId()));

    client().start(PARENT, "p", "1");

    assertThat(output("p")).isEqualTo("12c1");
  }
}
