package io.duroxide.e2e;

import io.duroxide.api.Orchestration;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepths;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A test in a world of its own, once for each mode. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
abstract class Scenario {
  @Parameter Mode mode;
  World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** An orchestration from text to text. */
  static Orchestration<String, String> texts(String name) {
    return Orchestration.of(name, String.class, String.class);
  }

  ProviderAdmin admin() {
    return world.store().management().orElseThrow();
  }

  /** Sends messages that the next turn takes together, in this order. */
  void batch(WorkItem... messages) {
    world.store().enqueueForOrchestrator(List.of(messages));
  }

  /** Waits until this many events of a kind are recorded in the latest execution. */
  void awaitEvents(String instance, Class<? extends EventKind> kind, int count) {
    world.until(() -> world.events(instance, kind).size() >= count);
  }

  /** Waits until the latest execution is at least this one and has recorded such an event. */
  void awaitEvent(String instance, long executionId, Class<? extends EventKind> kind) {
    world.until(() ->
        world.history(instance, executionId).stream()
            .anyMatch(event -> kind.isInstance(event.kind())));
  }

  /** Waits until every message that is due was taken and dealt with. */
  void awaitDrained() {
    world.until(() -> {
      QueueDepths depths = admin().queueDepths();
      return depths.orchestrator().ready() + depths.orchestrator().locked() == 0;
    });
  }

  /** What the events of an execution say, in order. */
  List<EventKind> kinds(String instance, long executionId) {
    return world.history(instance, executionId).stream().map(Event::kind).toList();
  }

  /** The payloads of the positional events of the latest execution. */
  List<String> eventData(String instance) {
    return world.events(instance, EventKind.ExternalEvent.class).stream()
        .map(EventKind.ExternalEvent::data)
        .toList();
  }

  /** The payloads of the queue messages of the latest execution. */
  List<String> queueData(String instance) {
    return world.events(instance, EventKind.QueueEventDelivered.class).stream()
        .map(EventKind.QueueEventDelivered::data)
        .toList();
  }
}
