package io.duroxide.client;

import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.TelemetryListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes a client's calls and tells a listener how they went. Thread-safe. */
final class Calls {
  /** Tells nobody. */
  static final Calls UNTOLD = new Calls(TelemetryListener.NONE);

  private final TelemetryListener listener;

  private Calls(TelemetryListener listener) {
    this.listener = listener;
  }

  static Calls toldTo(TelemetryListener listener) {
    return new Calls(TelemetryListener.together(List.of(listener)));
  }

  /**
   * Sends something.
   *
   * @param name of the orchestration, event or mailbox
   */
  void send(ClientCall.Operation operation, String instance, @Nullable String name, Runnable call) {
    make(
        operation,
        instance,
        name,
        () -> {
          call.run();
          return instance;
        });
  }

  /** Waits for something. */
  <T> T await(String instance, Supplier<T> wait) {
    return make(ClientCall.Operation.WAIT, instance, null, wait);
  }

  private <T> T make(
      ClientCall.Operation operation, String instance, @Nullable String name, Supplier<T> call) {
    if (listener.equals(TelemetryListener.NONE)) {
      return call.get();
    }
    long began = SystemTime.nanoTime();
    String error = null;
    try {
      return call.get();
    } catch (RuntimeException e) {
      error = String.valueOf(e.getMessage());
      throw e;
    } finally {
      Duration took = Duration.ofNanos(SystemTime.nanoTime() - began);
      listener.on(new ClientCall(operation, instance, name, took, error));
    }
  }
}
