package io.duroxide.api;

import io.duroxide.model.TextLimit;
import java.util.Objects;

/**
 * A typed name of a positional event: raised by a client, awaited by an orchestration. An event
 * that nobody waits for when it arrives is not delivered later; use an {@link EventQueue} for that.
 *
 * @param name what is recorded
 * @param type type of the payload
 */
public record ExternalEvent<T>(String name, TypeRef<T> type) {
  public ExternalEvent {
    TextLimit.EVENT_NAME.check(name);
    Objects.requireNonNull(type, "type");
  }

  public static <T> ExternalEvent<T> of(String name, Class<T> type) {
    return of(name, TypeRef.of(type));
  }

  public static <T> ExternalEvent<T> of(String name, TypeRef<T> type) {
    return new ExternalEvent<>(name, type);
  }
}
