package io.duroxide.telemetry;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A client's call came back, on the caller's thread.
 *
 * @param name of the orchestration, event or mailbox; absent where there is none
 * @param error why it failed; absent on success
 */
public record ClientCall(
    Operation operation,
    String instance,
    @Nullable String name,
    Duration took,
    @Nullable String error)
    implements TelemetryEvent {
  public ClientCall {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(took, "took");
  }

  /** What was asked. */
  public enum Operation {
    START("start"),
    RAISE_EVENT("raise_event"),
    ENQUEUE("enqueue"),
    CANCEL("cancel"),
    WAIT("wait");

    private final String label;

    Operation(String label) {
      this.label = label;
    }

    /** The name in spans. */
    public String label() {
      return label;
    }
  }
}
