package io.duroxide.management;

import org.jspecify.annotations.Nullable;

/**
 * A management call that was refused. Trouble of the store itself reaches the caller as the {@link
 * io.duroxide.provider.ProviderException} that it is.
 */
public sealed class ManagementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private ManagementException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Whether the same call may succeed later. */
  public boolean retryable() {
    return this instanceof TreeChanged || this instanceof StoreInUse;
  }

  /** The store offers no management operations. */
  public static final class NotAvailable extends ManagementException {
    private static final long serialVersionUID = 1L;

    NotAvailable(String message) {
      super(message, null);
    }
  }

  /** There is no such instance or execution. */
  public static final class InstanceNotFound extends ManagementException {
    private static final long serialVersionUID = 1L;

    InstanceNotFound(Throwable cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** A deletion without force of something that has not finished. */
  public static final class InstanceStillRunning extends ManagementException {
    private static final long serialVersionUID = 1L;

    InstanceStillRunning(Throwable cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** A deletion of an instance whose parent exists. */
  public static final class CannotDeleteSubOrchestration extends ManagementException {
    private static final long serialVersionUID = 1L;

    CannotDeleteSubOrchestration(Throwable cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** A deletion that would leave children behind: read the tree again. */
  public static final class TreeChanged extends ManagementException {
    private static final long serialVersionUID = 1L;

    TreeChanged(Throwable cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }

  /** A copy without force of a store that nodes work on, or to one. */
  public static final class StoreInUse extends ManagementException {
    private static final long serialVersionUID = 1L;

    StoreInUse(String message) {
      super(message, null);
    }
  }

  /** An argument that cannot be, such as a cursor that is none. */
  public static final class InvalidInput extends ManagementException {
    private static final long serialVersionUID = 1L;

    InvalidInput(Throwable cause) {
      super(String.valueOf(cause.getMessage()), cause);
    }
  }
}
