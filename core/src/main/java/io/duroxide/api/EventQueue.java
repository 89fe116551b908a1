package io.duroxide.api;

import io.duroxide.model.TextLimit;
import java.util.Objects;

/**
 * A typed name of a durable first-in-first-out mailbox of an instance.
 *
 * @param name what is recorded
 * @param type type of the messages
 */
public record EventQueue<T>(String name, TypeRef<T> type) {
  public EventQueue {
    TextLimit.QUEUE_NAME.check(name);
    Objects.requireNonNull(type, "type");
  }

  public static <T> EventQueue<T> of(String name, Class<T> type) {
    return of(name, TypeRef.of(type));
  }

  public static <T> EventQueue<T> of(String name, TypeRef<T> type) {
    return new EventQueue<>(name, type);
  }
}
