package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** What entries do that run runtimes on the provider. */
abstract class RuntimeSteps extends ProviderTck {
  /** Longer than anything here takes on a busy machine. */
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

  private final List<DuroxideRuntime> nodes = new ArrayList<>();

  @AfterEach
  final void stopNodes() {
    nodes.forEach(node -> node.shutdown(Duration.ZERO));
    nodes.clear();
  }

  static Orchestration<String, String> orchestration(String name) {
    return Orchestration.of(name, String.class, String.class);
  }

  static Activity<String, String> activity(String name) {
    return Activity.of(name, String.class, String.class);
  }

  /** Options of a node that notices work quickly. */
  static RuntimeOptions.Builder options() {
    return RuntimeOptions.builder()
        .minPollInterval(Duration.ofMillis(5))
        .longPollTimeout(Duration.ofSeconds(2));
  }

  /** A node on the handle under test; stopped with the test. */
  final DuroxideRuntime node(Consumer<DuroxideRuntime.Builder> registrations) {
    return node(provider, options(), registrations);
  }

  final DuroxideRuntime node(
      Provider handle,
      RuntimeOptions.Builder options,
      Consumer<DuroxideRuntime.Builder> registrations) {
    DuroxideRuntime.Builder builder = DuroxideRuntime.builder(handle).options(options.build());
    registrations.accept(builder);
    DuroxideRuntime node = builder.start();
    nodes.add(node);
    return node;
  }

  /** Stops a node without waiting for its activities. */
  final void stop(DuroxideRuntime node) {
    node.shutdown(Duration.ZERO);
    nodes.remove(node);
  }

  final Client client() {
    return Client.of(provider);
  }

  /** Waits for an instance to complete; gives its output. */
  final String output(String instance) {
    OrchestrationStatus end = client().waitForCompletion(instance, PATIENCE);
    assertThat(end).as(instance).isInstanceOf(OrchestrationStatus.Completed.class);
    return ((OrchestrationStatus.Completed) end).output();
  }

  /** Waits for an instance to fail; gives the text that a client sees. */
  final String failureOf(String instance) {
    OrchestrationStatus end = client().waitForCompletion(instance, PATIENCE);
    assertThat(end).as(instance).isInstanceOf(OrchestrationStatus.Failed.class);
    return ((OrchestrationStatus.Failed) end).details().displayMessage();
  }

  /** Sends messages that the next turn takes together. */
  final void batch(WorkItem... messages) {
    provider.enqueueForOrchestrator(List.of(messages));
  }

  /** Waits until something holds. */
  static void until(String what, BooleanSupplier condition) {
    var elapsed = SystemTime.stopwatch();
    while (!condition.getAsBoolean()) {
      assertThat(elapsed.get()).as("time until %s", what).isLessThan(PATIENCE);
      SystemTime.sleep(LOOK_AGAIN);
    }
  }

  /** Waits until the current execution has recorded this many events of a kind. */
  final void awaitEvents(String instance, Class<? extends EventKind> kind, int count) {
    until(
        count + " " + kind.getSimpleName() + " of " + instance,
        () -> kinds(provider.read(instance), kind).size() >= count);
  }

  static <K extends EventKind> List<K> kinds(List<Event> history, Class<K> kind) {
    return history.stream().map(Event::kind).filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The kinds of a history's events by name, in order. */
  static List<String> shape(List<Event> history) {
    return history.stream().map(event -> event.kind().getClass().getSimpleName()).toList();
  }
}
