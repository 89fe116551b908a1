package io.duroxide.model;

import java.time.Instant;
import java.util.Objects;

/**
 * A value of an instance's key-value store.
 *
 * @param value the stored text
 * @param updatedAt when the key was last written
 */
public record KvEntry(String value, Instant updatedAt) {
  public KvEntry {
    Objects.requireNonNull(value, "value");
    Objects.requireNonNull(updatedAt, "updatedAt");
  }
}
