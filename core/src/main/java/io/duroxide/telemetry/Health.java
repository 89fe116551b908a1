package io.duroxide.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * How a runtime is doing, in words.
 *
 * @param problems one sentence for each thing that is wrong, the worst first; empty when UP
 * @param facts figures behind it, by name
 */
public record Health(Status status, List<String> problems, Map<String, String> facts) {
  public Health {
    Objects.requireNonNull(status, "status");
    problems = List.copyOf(problems);
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  /** The worse of what is wrong. */
  public enum Status {
    /** It works. */
    UP,
    /** It works, but someone should look. */
    DEGRADED,
    /** It does not get any work done. */
    DOWN
  }
}
