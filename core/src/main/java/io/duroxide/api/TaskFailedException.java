package io.duroxide.api;

import io.duroxide.model.ErrorDetails;
import java.util.Objects;
import java.util.Optional;

/** An activity or child failed; the message is the display text of its failure. */
public abstract sealed class TaskFailedException extends OrchestrationFailure
    permits ActivityFailedException, SubOrchestrationFailedException {
  private static final long serialVersionUID = 1L;

  private final String task;

  @SuppressWarnings("serial") // failures are stored as JSON, never serialized
  private final ErrorDetails.Application details;

  @SuppressWarnings("serial")
  private final DataConverter converter;

  TaskFailedException(String task, ErrorDetails.Application details, DataConverter converter) {
    super(details.displayMessage());
    this.task = Objects.requireNonNull(task, "task");
    this.details = details;
    this.converter = converter;
  }

  /** The name of the activity or orchestration that failed. */
  public String task() {
    return task;
  }

  /** The failure as recorded. */
  public ErrorDetails.Application details() {
    return details;
  }

  /** The class of the exception that was thrown, where one was. */
  public Optional<String> failureClass() {
    return Optional.ofNullable(details.thrown()).map(thrown -> thrown.className());
  }

  /** Whether exactly this class was thrown. */
  public boolean is(Class<? extends Throwable> type) {
    return failureClass().filter(type.getName()::equals).isPresent();
  }

  /** What the exception carried, decoded; empty if it carried nothing. */
  public <T> Optional<T> payload(Class<T> type) {
    return Optional.ofNullable(details.thrown())
        .map(thrown -> thrown.payload())
        .map(text -> converter.decode(text, TypeRef.of(type)));
  }
}
