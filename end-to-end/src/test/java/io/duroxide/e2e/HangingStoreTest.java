package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.ClientException;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store that hangs")
class HangingStoreTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);

  /** What asks nothing of the database. */
  private static final Set<String> ANSWERED =
      Set.of("now", "name", "version", "localBus", "shortCuts", "health", "close");

  private final CountDownLatch back = new CountDownLatch(1);
  private volatile boolean hangs;
  private World world;

  @BeforeEach
  void open() {
    world = World.sqlite(Mode.KEPT);
    world.decorate(this::hanging);
  }

  @AfterEach
  void close() {
    hangs = false;
    back.countDown();
    world.close();
  }

  private Provider hanging(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> call(store, method, arguments));
  }

  /** Deaf to interrupts, as a driver that waits for a server. */
  private Object call(Provider store, Method method, Object[] arguments) throws Throwable {
    boolean interrupted = false;
    while (hangs && !ANSWERED.contains(method.getName()) && back.getCount() > 0) {
      try {
        back.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static Duration taken(Runnable call) {
    long began = System.nanoTime();
    call.run();
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Test
  @DisplayName("RL-020 a client's wait returns within its limit and a second")
  void waits() {
    Duration limit = Duration.ofMillis(500);
    hangs = true;

    Duration taken =
        taken(() ->
            assertThatThrownBy(() -> world.client().waitFor(FLOW, "x", limit))
                .isInstanceOf(ClientException.Timeout.class));

    assertThat(taken).isBetween(limit, limit.plusSeconds(1));
  }

  @Test
  @DisplayName("RL-020 close returns within its timeout and 10 s, and names what is left")
  void closes() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    DuroxideRuntime node =
        world.start(n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      running.countDown();
                      ctx.awaitCancelled(World.PATIENCE);
                      return in;
                    })
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "x", "in");
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    hangs = true;
    Duration timeout = Duration.ofMillis(100);
    try (Logs logs = Logs.of("io.duroxide.runtime", Level.WARN)) {
      Duration taken = taken(() -> assertThat(node.shutdown(timeout)).isFalse());

      assertThat(taken).isLessThan(timeout.plusSeconds(10));
      assertThat(logs.lines())
          .anySatisfy(line ->
              assertThat(line).contains("left behind", "duroxide-hand-over-", "duroxide-farewell"));
    }
  }
}
