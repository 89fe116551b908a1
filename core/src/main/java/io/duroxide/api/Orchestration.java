package io.duroxide.api;

import io.duroxide.model.TextLimit;
import java.util.Objects;

/**
 * A typed name of an orchestration; the same value serves the caller, the registration, the client
 * and the test.
 *
 * @param name what is recorded and looked up
 * @param input type of the input
 * @param output type of the result
 */
public record Orchestration<I, O>(String name, TypeRef<I> input, TypeRef<O> output) {
  public Orchestration {
    TextLimit.ORCHESTRATION_NAME.check(name);
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(output, "output");
  }

  public static <I, O> Orchestration<I, O> of(String name, Class<I> input, Class<O> output) {
    return of(name, TypeRef.of(input), TypeRef.of(output));
  }

  public static <I, O> Orchestration<I, O> of(String name, TypeRef<I> input, Class<O> output) {
    return of(name, input, TypeRef.of(output));
  }

  public static <I, O> Orchestration<I, O> of(String name, Class<I> input, TypeRef<O> output) {
    return of(name, TypeRef.of(input), output);
  }

  public static <I, O> Orchestration<I, O> of(String name, TypeRef<I> input, TypeRef<O> output) {
    return new Orchestration<>(name, input, output);
  }
}
