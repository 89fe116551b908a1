package io.duroxide.api;

/** How one operand of a join or select ended. */
public sealed interface Outcome<T> {

  /** The result; throws the failure if there is none. */
  T value();

  record Success<T>(T value) implements Outcome<T> {}

  /**
   * The operand failed.
   *
   * @param failure an {@link OrchestrationFailure} for activities and children; whatever the code
   *     threw for branches
   */
  record Failure<T>(RuntimeException failure) implements Outcome<T> {
    @Override
    public T value() {
      throw failure;
    }
  }
}
