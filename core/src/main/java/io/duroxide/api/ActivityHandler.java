package io.duroxide.api;

/** The code of an activity: a leaf unit of real work that runs at least once. Thread-safe. */
@FunctionalInterface
public interface ActivityHandler<I, O> {
  /**
   * Does the work. Whatever it throws is reported to the orchestration as an {@link
   * ActivityFailedException} with its class and message.
   */
  O run(ActivityContext context, I input) throws Exception;
}
