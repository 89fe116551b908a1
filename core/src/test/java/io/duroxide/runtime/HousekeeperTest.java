package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.telemetry.TelemetryListener;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A housekeeper whose intervals pass as soon as it waits for them. */
@DisplayName("Housekeeping")
class HousekeeperTest {
  private final VirtualTime time = new VirtualTime();
  private final AtomicReference<Thread> renewer = new AtomicReference<>();

  @Test
  @DisplayName("sessions are renewed where handlers that never pause cannot be in the way")
  void ownThread() {
    try (MemoryProvider memory = MemoryProvider.create(time::instant)) {
      InstrumentedProvider provider =
          new InstrumentedProvider(
              memory,
              operation -> {
                if (operation.operation().equals("renewSessionLock")) {
                  renewer.compareAndSet(null, Thread.currentThread());
                }
              });
      try (Housekeeper housekeeper = housekeeper(Node.parts(provider, time))) {
        housekeeper.start();
        await().until(() -> renewer.get() != null);
      }
    }
    assertThat(renewer.get().isVirtual()).isFalse();
    assertThat(renewer.get().isDaemon()).isTrue();
  }

  @Test
  @DisplayName("RL-014 an error of the JVM in a chore: all chores go on, and the node closes")
  void goesOn() {
    AtomicInteger renewals = new AtomicInteger();
    AtomicInteger sweeps = new AtomicInteger();
    try (MemoryProvider memory = MemoryProvider.create(time::instant)) {
      Provider provider =
          (Provider)
              Proxy.newProxyInstance(
                  Provider.class.getClassLoader(),
                  new Class<?>[] {Provider.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("renewSessionLock")
                        && renewals.incrementAndGet() % 2 == 1) {
                      throw new OutOfMemoryError("no memory");
                    }
                    if (method.getName().equals("cleanupOrphanedSessions")) {
                      sweeps.incrementAndGet();
                    }
                    return method.invoke(memory, arguments);
                  });
      try (Housekeeper housekeeper = housekeeper(Node.parts(provider, time))) {
        housekeeper.start();
        await().until(() -> renewals.get() >= 4 && sweeps.get() >= 2);
        assertThat(housekeeper.thread().isAlive()).isTrue();
      }
    }
  }

  private static Housekeeper housekeeper(RuntimeParts parts) {
    Sessions sessions =
        new Sessions(parts.options(), parts.runtimeId(), new Slots(1), parts.signals());
    return new Housekeeper(parts, sessions, new Gauges(TelemetryListener.NONE, parts.provider()));
  }
}
