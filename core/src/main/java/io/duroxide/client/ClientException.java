package io.duroxide.client;

import org.jspecify.annotations.Nullable;

/** A client call that did not do what was asked. */
public sealed class ClientException extends RuntimeException
    permits ClientException.Timeout,
        ClientException.Interrupted,
        ClientException.InstanceExists,
        ClientException.InstanceEnded,
        ClientException.InstanceNotFound,
        ClientException.InvalidInput,
        ClientException.OrchestrationFailed {
  private static final long serialVersionUID = 1L;

  ClientException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Whether the same call may succeed later. */
  public boolean retryable() {
    return this instanceof Timeout;
  }

  /** The time was over before the instance got there. */
  public static final class Timeout extends ClientException {
    private static final long serialVersionUID = 1L;

    Timeout(String message) {
      super(message, null);
    }
  }

  /** The caller was interrupted while it waited; it still is, and the instance goes on. */
  public static final class Interrupted extends ClientException {
    private static final long serialVersionUID = 1L;

    Interrupted(String message) {
      super(message, null);
    }
  }

  /** A start whose id is taken. */
  public static final class InstanceExists extends ClientException {
    private static final long serialVersionUID = 1L;

    InstanceExists(String message) {
      super(message, null);
    }
  }

  /** What was sent to an instance that has ended; nothing is stored of it. */
  public static final class InstanceEnded extends ClientException {
    private static final long serialVersionUID = 1L;

    InstanceEnded(String message) {
      super(message, null);
    }
  }

  /** What was sent to an instance that nobody knows; nothing is stored of it. */
  public static final class InstanceNotFound extends ClientException {
    private static final long serialVersionUID = 1L;

    InstanceNotFound(String message) {
      super(message, null);
    }
  }

  /** An argument or payload that cannot be. */
  public static final class InvalidInput extends ClientException {
    private static final long serialVersionUID = 1L;

    InvalidInput(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** The instance that was waited for failed; the message is its display text. */
  public static final class OrchestrationFailed extends ClientException {
    private static final long serialVersionUID = 1L;

    private final transient OrchestrationStatus.Failed status;

    OrchestrationFailed(String message, OrchestrationStatus.Failed status) {
      super(message, null);
      this.status = status;
    }

    /** The failure as recorded. */
    public OrchestrationStatus.Failed status() {
      return status;
    }
  }
}
