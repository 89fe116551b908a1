package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Damages a store for tests. Nothing is encoded here, so damage is a mark on a row: whoever decodes
 * the row is told the error instead. Thread-safe.
 */
final class Faults {
  private final Gate gate;
  private final Tables tables;

  Faults(Gate gate, Tables tables) {
    this.gate = gate;
    this.tables = tables;
  }

  /** The ids of an execution's events, for choosing one to damage. */
  List<Long> eventIds(ExecutionKey execution) {
    return gate.enter("eventIds", () -> List.copyOf(stored(execution).eventIds()));
  }

  void damageEvent(ExecutionKey execution, long eventId, String error) {
    gate.run("damageEvent", () -> stored(execution).damage(eventId, error));
  }

  /** From now on the events of an execution do not fit into memory. */
  void makeUnloadable(ExecutionKey execution) {
    gate.run("makeUnloadable", () -> stored(execution).makeUnloadable());
  }

  void damagePin(ExecutionKey execution, String text) {
    gate.run("damagePin", () -> stored(execution).damagePin(text));
  }

  /** Damages the oldest message of an instance. */
  void damageMessage(String instance, String error) {
    gate.run(
        "damageMessage",
        () ->
            messages(instance).stream()
                .min(Comparator.comparingLong(Message::seq))
                .orElseThrow()
                .damage(error));
  }

  /** Damages the oldest activity of an instance. */
  void damageActivity(String instance, String error) {
    gate.run(
        "damageActivity",
        () ->
            tables.workerQueue().tasks(instance).stream()
                .min(Comparator.comparingLong(Task::seq))
                .orElseThrow()
                .damage(error));
  }

  /** The largest attempt count among an instance's messages; 0 for none. */
  int maxAttemptCount(String instance) {
    return gate.enter(
        "maxAttemptCount",
        () -> messages(instance).stream().mapToInt(Message::attempts).max().orElse(0));
  }

  /** Sets the attempt count of an instance's messages that are not yet visible. */
  void setHiddenAttempts(String instance, int attempts) {
    gate.run(
        "setHiddenAttempts",
        () ->
            messages(instance).stream()
                .filter(message -> message.place().at().isAfter(tables.now()))
                .forEach(message -> message.attempts(attempts)));
  }

  private Execution stored(ExecutionKey execution) {
    return tables.instances().execution(execution).orElseThrow();
  }

  private Collection<Message> messages(String instance) {
    return Optional.ofNullable(tables.orchestratorQueue().find(instance))
        .map(Inbox::messages)
        .orElse(List.of());
  }
}
