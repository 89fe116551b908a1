package io.duroxide.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exception behind an application error.
 *
 * @param className its class, so that callers can branch without reading text
 * @param payload what it carried, encoded; absent when it carried nothing
 */
public record Thrown(String className, @Nullable String payload) {
  public Thrown {
    Objects.requireNonNull(className, "className");
  }
}
