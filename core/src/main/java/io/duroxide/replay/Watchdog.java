package io.duroxide.replay;

import io.duroxide.model.ExecutionKey;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds orchestration code that is parked anywhere but in an await.
 *
 * <p>Code that computes is left alone; code that is seen blocked in two looks in a row, half the
 * limit apart, is reported with the user's line.
 */
final class Watchdog {
  private static final int LOOKS = 2;

  private final ExecutionKey execution;
  private final Duration limit;
  private final long lookNanos;
  private final Supplier<@Nullable Coroutine> running;

  Watchdog(ExecutionKey execution, Duration limit, Supplier<@Nullable Coroutine> running) {
    this.execution = execution;
    this.limit = limit;
    this.lookNanos = Math.max(1, limit.toNanos() / LOOKS);
    this.running = running;
  }

  Watch watch() {
    return new Looking();
  }

  /** One hand-over of the baton being watched. */
  interface Watch {
    /** For code that runs inside other code, which is watched already. */
    Watch NONE =
        new Watch() {
          @Override
          public long nanos() {
            return Long.MAX_VALUE;
          }

          @Override
          public void check() {}
        };

    /** How long to wait before the next look. */
    long nanos();

    /** Called when the code still holds the baton after that time. */
    void check();
  }

  private final class Looking implements Watch {
    private int blockedLooks;

    @Override
    public long nanos() {
      return lookNanos;
    }

    @Override
    public void check() {
      Coroutine coroutine = running.get();
      if (coroutine == null || !isBlocked(coroutine.thread())) {
        blockedLooks = 0;
        return;
      }
      if (++blockedLooks >= LOOKS) {
        throw new BlockedCode(coroutine, describe(coroutine.thread().getStackTrace()));
      }
    }
  }

  private static boolean isBlocked(Thread thread) {
    return switch (thread.getState()) {
      case WAITING, TIMED_WAITING, BLOCKED -> true;
      case NEW, RUNNABLE, TERMINATED -> false;
    };
  }

  private String describe(StackTraceElement[] stack) {
    String where = "an unknown place";
    String through = stack.length == 0 ? "?" : method(stack[0]);
    for (StackTraceElement frame : stack) {
      if (!isPlumbing(frame.getClassName())) {
        where = frame.toString();
        break;
      }
      through = method(frame);
    }
    return "%s: the orchestration blocked for %d ms outside an await, in %s at %s; use ctx.timer, an"
            .formatted(execution, limit.toMillis(), through, where)
        + " event or an activity instead";
  }

  private static String method(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  private static boolean isPlumbing(String className) {
    return className.startsWith("java.")
        || className.startsWith("jdk.")
        || className.startsWith("sun.")
        || className.startsWith("io.duroxide.replay.Conductor")
        || className.startsWith("io.duroxide.replay.Coroutine");
  }

  /** The code cannot be brought back; the turn fails and its thread is left to itself. */
  static final class BlockedCode extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Coroutine coroutine;

    BlockedCode(Coroutine coroutine, String message) {
      super(message, null, false, false);
      this.coroutine = coroutine;
    }

    Coroutine coroutine() {
      return coroutine;
    }
  }
}
