package io.duroxide.replay;

import java.util.Objects;

/**
 * Who runs executions.
 *
 * @param frameworkVersion stamped on new events
 * @param workerId names the node in logs
 */
public record Author(String frameworkVersion, String workerId) {
  public Author {
    Objects.requireNonNull(frameworkVersion, "frameworkVersion");
    Objects.requireNonNull(workerId, "workerId");
  }
}
