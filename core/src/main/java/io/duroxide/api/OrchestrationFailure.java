package io.duroxide.api;

import org.jspecify.annotations.Nullable;

/**
 * A deliberate failure of an orchestration or activity. Extend it for failures that callers tell
 * apart: class name, message and payload reach the parent and the client.
 */
public class OrchestrationFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // failures are stored as JSON, never serialized
  private final @Nullable Object payload;

  public OrchestrationFailure(String message) {
    this(message, null);
  }

  /**
   * A failure that carries data.
   *
   * @param payload anything the converter can encode; read back with {@link
   *     TaskFailedException#payload}
   */
  public OrchestrationFailure(String message, @Nullable Object payload) {
    super(message);
    this.payload = payload;
  }

  /** What travels with the message; null for nothing. */
  public final @Nullable Object attachedPayload() {
    return payload;
  }
}
