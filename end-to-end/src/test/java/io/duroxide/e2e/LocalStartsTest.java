package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.StartOptions;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ProviderException;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Instances stored together with their first turn")
class LocalStartsTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> AT_ONCE =
      Orchestration.of("AtOnce", String.class, String.class);
  private static final Orchestration<String, String> WAITER =
      Orchestration.of("Waiter", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final ExternalEvent<String> EVENT = ExternalEvent.of("E", String.class);
  private static final ProviderException.Kind UNAVAILABLE = ProviderException.Kind.UNAVAILABLE;
  private static final Duration DELAY = Duration.ofMinutes(1);

  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    faults.beginStarts();
    world = World.sqlite(Mode.KEPT);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static void register(DuroxideRuntime.Builder node) {
    node.activity(WORK, (ctx, in) -> in + "+")
        .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await())
        .orchestration(AT_ONCE, (ctx, in) -> in + "!")
        .orchestration(WAITER, (ctx, in) -> in + ctx.waitFor(EVENT).await());
  }

  private List<String> kinds(String instance) {
    return world.history(instance).stream()
        .map(Event::kind)
        .map(kind -> kind.getClass().getSimpleName())
        .toList();
  }

  @Test
  @DisplayName("one commit begins an instance, one more ends it with its activity")
  void twoCommits() {
    world.start(LocalStartsTest::register);
    world.client().start(FLOW, "x", "in");

    assertThat(world.output("x")).isEqualTo("in+");
    assertThat(faults.count(Faults.START)).isEqualTo(1);
    assertThat(faults.count(Faults.STEP)).isEqualTo(1);
    assertThat(faults.count(Faults.COMMIT)).isZero();
  }

  @Test
  @DisplayName("an instance that has nothing to wait for has ended once it is started")
  void endsAtOnce() {
    world.start(LocalStartsTest::register);
    world.client().start(AT_ONCE, "x", "in");

    assertThat(world.client().status("x").isTerminal()).isTrue();
    assertThat(world.output("x")).isEqualTo("in!");
  }

  @Test
  @DisplayName("what is recorded is the same as through the queue")
  void sameHistory() {
    world.start(LocalStartsTest::register);
    world.client().start(FLOW, "short", "in");
    world.output("short");
    world.restart();
    world.start(world.options().localSteps(0), LocalStartsTest::register);
    world.client().start(FLOW, "long", "in");

    assertThat(world.output("long")).isEqualTo("in+");
    assertThat(faults.count(Faults.START)).isEqualTo(1);
    assertThat(kinds("short")).isEqualTo(kinds("long"));
    assertThat(world.history("short").stream().map(Event::id).toList())
        .isEqualTo(world.history("long").stream().map(Event::id).toList());
  }

  @Test
  @DisplayName("a first turn that the store does not take goes through the queue")
  void refused() {
    faults.failNext(Faults.START, 1, UNAVAILABLE);
    world.start(LocalStartsTest::register);
    world.client().start(FLOW, "x", "in");

    assertThat(world.output("x")).isEqualTo("in+");
    assertThat(faults.count(Faults.COMMIT)).isEqualTo(1);
  }

  @Test
  @DisplayName("a first turn whose answer got lost is recorded once, and the instance goes on")
  void lostAnswer() {
    faults.failNextAfterCommit(Faults.START, 1, UNAVAILABLE);
    world.start(LocalStartsTest::register);
    world.client().start(WAITER, "x", "in-");
    world.client().raiseEvent("x", EVENT, "event");

    assertThat(world.output("x")).isEqualTo("in-event");
    assertThat(world.events("x", EventKind.OrchestrationStarted.class)).hasSize(1);
    assertThat(world.events("x", EventKind.ExternalSubscribed.class)).hasSize(1);
  }

  @Test
  @DisplayName("an interrupted caller starts it nevertheless, and stays interrupted")
  void interrupted() {
    world.start(LocalStartsTest::register);
    Thread.currentThread().interrupt();
    world.client().start(FLOW, "x", "in");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.output("x")).isEqualTo("in+");
  }

  @Test
  @DisplayName("a second start of the same id changes nothing")
  void again() {
    world.start(LocalStartsTest::register);
    world.client().start(WAITER, "x", "first-");
    world.client().start(WAITER, "x", "second-");
    world.client().raiseEvent("x", EVENT, "event");

    assertThat(world.output("x")).isEqualTo("first-event");
    assertThat(world.events("x", EventKind.OrchestrationStarted.class)).hasSize(1);
  }

  @Test
  @DisplayName("messages that came before the start are not passed over")
  void earlyMessages() {
    world.start(LocalStartsTest::register);
    world.client().raiseEvent("x", EVENT, "early");
    world.client().start(WAITER, "x", "in-");
    world.blindClient().raiseEvent("x", EVENT, "late");

    world.output("x");
    assertThat(faults.count(Faults.COMMIT)).isPositive();
  }

  @Test
  @DisplayName("a delayed start, one that nobody here can run and one after the end are queued")
  void queued() {
    DuroxideRuntime node = world.start(LocalStartsTest::register);
    world.client().start(AT_ONCE, "later", "in", StartOptions.delayed(DELAY));
    world.client().start("Unknown", "unknown", "in", StartOptions.defaults());
    assertThat(faults.count(Faults.START)).isZero();
    node.close();
    world.client().start(AT_ONCE, "after", "in");
    assertThat(faults.count(Faults.START)).isZero();
    world.start(LocalStartsTest::register);
    world.advance(DELAY);

    assertThat(world.output("after")).isEqualTo("in!");
    assertThat(world.output("later")).isEqualTo("in!");
  }
}
