package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Steps in the life of an instance that several categories share. */
abstract class LifecycleSteps extends ProviderTck {

  // Turns

  /** A commit that appends events of these kinds to the fetched history. */
  static TurnCommit append(
      LockedOrchestration locked, ExecutionMetadata metadata, EventKind... kinds) {
    ExecutionKey execution = locked.item().execution();
    long id = nextId(locked);
    List<Event> events = new ArrayList<>();
    for (EventKind kind : kinds) {
      events.add(Events.of(execution, id++, kind));
    }
    return TurnCommit.events(execution.executionId(), events, metadata);
  }

  /** Pokes a running instance, which then commits these events and runs on. */
  final void change(String instance, EventKind... kinds) {
    poke(instance);
    LockedOrchestration locked = fetched(instance);
    ack(locked, append(locked, identity(), kinds));
  }

  /** Pokes an instance, which then commits these events and this status. */
  final void change(String instance, ExecutionStatus status, EventKind... kinds) {
    poke(instance);
    LockedOrchestration locked = fetched(instance);
    ack(locked, append(locked, identity().withStatus(status, "out"), kinds));
  }

  /** CAN(x, 2) to CAN(x, last) of the catalog. */
  final void continueUpTo(String instance, long last) {
    for (long execution = 2; execution <= last; execution++) {
      continueAsNew(instance, execution);
    }
  }

  final void createCompleted(String... instances) {
    for (String instance : instances) {
      create(instance);
      complete(instance);
    }
  }

  // Families

  final void createChild(String child, String parent) {
    enqueue(Items.child(child, parent));
    ack(fetched(child), childTurn(child, parent));
  }

  final void createCompletedChild(String child, String parent) {
    createChild(child, parent);
    complete(child);
  }

  static TurnCommit childTurn(String child, String parent) {
    ExecutionKey execution = new ExecutionKey(child, ExecutionKey.FIRST);
    return TurnCommit.events(
        ExecutionKey.FIRST,
        List.of(Events.started(execution)),
        identity().withParent(new ParentLink(parent, 1, 2)));
  }

  // Activities

  static ActivityKey key(String instance, long id) {
    return new ActivityKey(instance, ExecutionKey.FIRST, id);
  }

  // Times

  /** The store's now, as precise as it is stored. */
  final Instant now() {
    return provider.now().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Lets enough time pass that the next stored instant differs. */
  final void tick() {
    advance(Duration.ofMillis(10));
  }

  // Verdicts

  final void exists(String instance) {
    assertThat(admin().instanceInfo(instance).instance()).isEqualTo(instance);
  }

  final void gone(String... instances) {
    for (String instance : instances) {
      fails(Kind.NOT_FOUND, () -> admin().instanceInfo(instance));
    }
    assertThat(admin().listInstances()).doesNotContainAnyElementsOf(Arrays.asList(instances));
  }
}
