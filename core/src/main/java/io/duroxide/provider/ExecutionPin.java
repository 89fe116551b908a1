package io.duroxide.provider;

import io.duroxide.model.Semver;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The framework version that an execution is pinned to, as the store has it.
 *
 * @param text three numbers such as {@code 1.4.0}; anything else cannot be read
 */
public record ExecutionPin(String text) {
  public ExecutionPin {
    Objects.requireNonNull(text, "text");
  }

  /** The pin of {@code version}: its three numbers, without a label. */
  public static ExecutionPin of(Semver version) {
    return new ExecutionPin(version.release().toString());
  }

  /** The pin that a store keeps as {@code text}; null for none. */
  public static @Nullable ExecutionPin ofStored(@Nullable String text) {
    return text == null ? null : new ExecutionPin(text);
  }

  /** Empty if the text cannot be read. */
  public Optional<Semver> version() {
    return Semver.tryParse(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
