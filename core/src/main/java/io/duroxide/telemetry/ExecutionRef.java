package io.duroxide.telemetry;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An execution and what it runs.
 *
 * @param orchestration the orchestration's name
 * @param version the orchestration's version
 * @param parent where it reports its outcome; absent for a root
 */
public record ExecutionRef(
    ExecutionKey key, String orchestration, String version, @Nullable ParentLink parent) {
  public ExecutionRef {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(orchestration, "orchestration");
    Objects.requireNonNull(version, "version");
  }
}
