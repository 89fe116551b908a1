package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.SystemTime;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Questions about instances that travel together")
class StatusReadsTest {
  private static final int CALLERS = 4;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  @Test
  @DisplayName("nobody waits for ever when a statement ends in a way that nobody expects")
  void unexpected() throws InterruptedException {
    Store store =
        new Store(
            pool(),
            Schema.named("duroxide"),
            new StoreClock(null, SystemTime.nanos()),
            PostgresOptions.DEFAULT);
    StatusReads reads = new StatusReads(store);
    List<FutureTask<?>> answers =
        Stream.<FutureTask<?>>generate(() -> new FutureTask<>(() -> reads.read("x")))
            .limit(CALLERS)
            .toList();

    Thread.ofPlatform().start(answers.getFirst());
    begun.await();
    for (FutureTask<?> answer : answers.subList(1, CALLERS)) {
      Thread caller = Thread.ofPlatform().start(answer);
      Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);
    }
    go.countDown();

    assertThat(answers).allSatisfy(StatusReadsTest::failsOnPurpose);
    store.close();
  }

  private static void failsOnPurpose(FutureTask<?> answer) {
    assertThat(answer)
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("on purpose");
  }

  /** Connections that cannot be had, for a reason that no driver gives. */
  private DataSource pool() {
    return (DataSource)
        Proxy.newProxyInstance(
            StatusReadsTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, values) -> {
              begun.countDown();
              go.await();
              throw new IllegalStateException("on purpose");
            });
  }
}
