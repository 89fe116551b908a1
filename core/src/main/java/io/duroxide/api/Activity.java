package io.duroxide.api;

import io.duroxide.model.TextLimit;
import java.util.Objects;

/**
 * A typed name of an activity; the same value serves the caller, the registration and the test.
 *
 * @param name what is recorded and looked up
 * @param input type of the input
 * @param output type of the result
 * @param options used by calls that give none
 */
public record Activity<I, O>(
    String name, TypeRef<I> input, TypeRef<O> output, ActivityOptions options) {
  public Activity {
    TextLimit.ACTIVITY_NAME.check(name);
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(options, "options");
  }

  public static <I, O> Activity<I, O> of(String name, Class<I> input, Class<O> output) {
    return of(name, TypeRef.of(input), TypeRef.of(output));
  }

  public static <I, O> Activity<I, O> of(String name, TypeRef<I> input, Class<O> output) {
    return of(name, input, TypeRef.of(output));
  }

  public static <I, O> Activity<I, O> of(String name, Class<I> input, TypeRef<O> output) {
    return of(name, TypeRef.of(input), output);
  }

  public static <I, O> Activity<I, O> of(String name, TypeRef<I> input, TypeRef<O> output) {
    return new Activity<>(name, input, output, ActivityOptions.options());
  }

  /** The same activity with other options for calls that give none. */
  public Activity<I, O> withOptions(ActivityOptions newOptions) {
    return new Activity<>(name, input, output, newOptions);
  }
}
