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

  /** Begins to watch on behalf of the calling thread, which waits for the code. */
  Watch watch(Patience patience) {
    return new Looking(patience);
  }

  /** One hand-over of the baton being watched. */
  interface Watch extends AutoCloseable {
    /** For code that runs inside other code, which is watched already. */
    Watch NONE =
        new Watch() {
          @Override
          public void check() {}

          @Override
          public void close() {}
        };

    /** Called when the waiting thread was woken and the code still holds the baton. */
    void check();

    @Override
    void close();
  }

  private final class Looking implements Watch {
    private final Watchman.Call call = Watchman.call(lookNanos);
    private final Patience patience;
    private int blockedLooks;

    Looking(Patience patience) {
      this.patience = patience;
    }

    @Override
    public void check() {
      if (call.isDue()) {
        look();
      }
      if (patience.isOver()) {
        throw new CodeLeft(execution + ": the code of the turn is not waited for any longer");
      }
    }

    private void look() {
      Coroutine coroutine = running.get();
      if (coroutine == null || !isBlocked(coroutine.thread())) {
        blockedLooks = 0;
        return;
      }
      if (++blockedLooks >= LOOKS) {
        throw new BlockedCode(coroutine, describe(coroutine.thread().getStackTrace()));
      }
    }

    @Override
    public void close() {
      call.close();
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
