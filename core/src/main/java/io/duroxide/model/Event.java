package io.duroxide.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable history record.
 *
 * @param execution the execution it belongs to
 * @param id position in the history of its execution, the first is 1
 * @param source id of the schedule it refers to; only completions and decisions have one
 * @param stamp when and by which framework version it was written
 * @param kind what happened
 */
public record Event(
    ExecutionKey execution, long id, @Nullable Long source, EventStamp stamp, EventKind kind) {
  public Event {
    Objects.requireNonNull(execution, "execution");
    Objects.requireNonNull(stamp, "stamp");
    Objects.requireNonNull(kind, "kind");
  }
}
