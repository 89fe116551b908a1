package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.ProviderOperation;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A day of a sweeper whose configuration changes after half an hour, in virtual time. */
@DisplayName("Sweeps in the background")
class PruneSweeperTest {
  private static final Duration CHANGE = Duration.ofMinutes(30);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofHours(24);
  private static final PruneSweep DELETING =
      PruneSweep.every(HOUR).deleting(ExecutionStatus.COMPLETED, Duration.ZERO);

  private final VirtualTime time = new VirtualTime();
  private final AtomicBoolean trouble = new AtomicBoolean();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Duration> sweeps = new CopyOnWriteArrayList<>();
  private final List<Duration> deletions = new CopyOnWriteArrayList<>();

  /** Lets time fly until the day is over. */
  private final class Day implements Waiting {
    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      if (trouble.getAndSet(false)) {
        throw new OutOfMemoryError("no memory");
      }
      time.pass(duration);
      if (time.elapsed().compareTo(DAY) >= 0) {
        over.countDown();
        new CountDownLatch(1).await();
      }
    }
  }

  private void record(ProviderOperation operation) {
    switch (operation.operation()) {
      case "listInstances" -> sweeps.add(time.elapsed());
      case "deleteInstanceBulk" -> deletions.add(time.elapsed());
      default -> {}
    }
  }

  private void day(@Nullable PruneSweep before, @Nullable PruneSweep after)
      throws InterruptedException {
    Supplier<AutoPruneConfig> config =
        () ->
            new AutoPruneConfig(
                true, null, Map.of(), null, time.elapsed().compareTo(CHANGE) < 0 ? before : after);
    try (MemoryProvider memory = MemoryProvider.create(time::instant)) {
      RuntimeParts parts =
          new RuntimeParts(
              "node",
              new InstrumentedProvider(memory, this::record),
              OrchestrationRegistry.builder().build(),
              ActivityRegistry.builder().build(),
              RuntimeOptions.builder().autoPrune(config).build(),
              new Day(),
              Node.unheard());
      try (PruneSweeper sweeper = new PruneSweeper(parts)) {
        sweeper.start();
        assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  @DisplayName("RL-014 an error of the JVM in a sweep: the next one comes nevertheless")
  void goesOn() throws InterruptedException {
    trouble.set(true);
    day(PruneSweep.every(HOUR), PruneSweep.every(HOUR));
    assertThat(trouble).isFalse();
    assertThat(sweeps).hasSizeGreaterThan(20);
  }

  @Test
  @DisplayName("a sweep that is no longer wanted when its time has come does not take place")
  void withdrawn() throws InterruptedException {
    day(DELETING, null);
    assertThat(sweeps).isEmpty();
    assertThat(deletions).isEmpty();
  }

  @Test
  @DisplayName("a sweep deletes what the configuration of its time says")
  void noLongerDeleting() throws InterruptedException {
    day(DELETING, PruneSweep.every(HOUR));
    assertThat(sweeps).startsWith(HOUR, HOUR.multipliedBy(2));
    assertThat(deletions).isEmpty();
  }

  @Test
  @DisplayName("a shorter interval counts at once")
  void shorterInterval() throws InterruptedException {
    day(PruneSweep.every(Duration.ofHours(10)), PruneSweep.every(HOUR));
    assertThat(sweeps).startsWith(HOUR, HOUR.multipliedBy(2));
  }

  @Test
  @DisplayName("what is configured anew rests for its interval first")
  void begun() throws InterruptedException {
    day(null, DELETING);
    assertThat(deletions).startsWith(CHANGE.plus(HOUR), CHANGE.plus(HOUR.multipliedBy(2)));
  }
}
