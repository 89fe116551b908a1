package io.duroxide.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A storage operation that did not happen.
 *
 * <p>Retryable means: nothing was committed, or committing again is harmless, and a later identical
 * call may succeed. Callers decide by {@link #kind()} and {@link #retryable()}, never by text.
 */
public final class ProviderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What went wrong. */
  public enum Kind {
    /** The token is unknown, replaced, used or expired, or its entry was removed. */
    LOCK_LOST(false),
    /** An event id is stored already, or stands twice in one commit. */
    DUPLICATE_EVENT(false),
    /** An argument that no store could accept. */
    INVALID_INPUT(false),
    /** A start that was to make a new instance found one, or another start of its id. */
    ALREADY_EXISTS(false),
    /** Stored data cannot be decoded. */
    CORRUPT_DATA(false),
    /** A management operation on an unknown instance or execution. */
    NOT_FOUND(false),
    /** Deletion refused: the instance has not finished. */
    STILL_RUNNING(false),
    /** Deletion refused: the instance has a parent. */
    NOT_ROOT(false),
    /** Deletion refused: children would be left behind. */
    ORPHANS(false),
    /** The store cannot be reached, or was closed. */
    UNAVAILABLE(true),
    /** The store did not answer in time, or the caller was interrupted. */
    TIMEOUT(true),
    /** Another transaction was in the way. */
    CONTENTION(true),
    /** Data-shaped trouble that no retry mends: a constraint, a missing table. */
    UNKNOWN_PERMANENT(false),
    /** Anything else. */
    UNKNOWN(true);

    private final boolean retryable;

    Kind(boolean retryable) {
      this.retryable = retryable;
    }

    public boolean retryable() {
      return retryable;
    }
  }

  private final Kind kind;
  private final String operation;

  public ProviderException(Kind kind, String operation, String message) {
    this(kind, operation, message, null);
  }

  public ProviderException(Kind kind, String operation, String message, @Nullable Throwable cause) {
    super(operation + ": " + message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.operation = operation;
  }

  static ProviderException notOffered(String operation) {
    return new ProviderException(Kind.UNKNOWN_PERMANENT, operation, "this store does not offer it");
  }

  /** A start whose id is taken. */
  public static ProviderException alreadyExists(String operation, String instance) {
    return new ProviderException(
        Kind.ALREADY_EXISTS,
        operation,
        "instance '" + instance + "' exists already; choose another id");
  }

  public Kind kind() {
    return kind;
  }

  /** The operation that failed, such as {@code commitTurn}. */
  public String operation() {
    return operation;
  }

  public boolean retryable() {
    return kind.retryable();
  }
}
