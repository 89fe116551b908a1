package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** PERF: what operations cost, and that it stays so (15.13). */
@Needs.Load
public abstract class StoreLoadTck extends ProviderTck {
  private static final int CROWD = 100_000;
  private static final int CYCLES = 100_000;
  private static final int SAMPLES = 200;
  private static final double MOST_TIMES_SLOWER = 2.0;

  /** Free pages and the like; what grows with the work would be far beyond it. */
  private static final double MOST_GROWTH = 1.1;

  /** For subclasses. */
  protected StoreLoadTck() {}

  @Test
  @DisplayName("TCK-PERF-04 finished instances and hidden timers do not slow a fetch down")
  void crowd() {
    Duration alone = medianFetch("probe");
    int crowd = scaled(CROWD);
    for (int i = 0; i < crowd; i++) {
      create("done-" + i);
      complete("done-" + i);
      create("asleep-" + i);
      enqueue(Items.timer("asleep-" + i, 2, provider.now().plus(Duration.ofDays(1))));
    }

    Duration among = medianFetch("second probe");

    report(
        "median fetch",
        "%d µs in an empty store, %d µs among %d finished and %d asleep"
            .formatted(alone.toNanos() / 1000, among.toNanos() / 1000, crowd, crowd));
    if (fixture().enforcesThresholds()) {
      assertThat(among.toNanos()).isLessThan((long) (alone.toNanos() * MOST_TIMES_SLOWER));
    }
  }

  private Duration medianFetch(String probe) {
    create(probe);
    List<Duration> samples = new ArrayList<>();
    for (int i = 0; i < SAMPLES; i++) {
      poke(probe);
      var elapsed = SystemTime.stopwatch();
      LockedOrchestration locked = fetched(probe);
      samples.add(elapsed.get());
      drain(locked);
    }
    Collections.sort(samples);
    return samples.get(SAMPLES / 2);
  }

  @Test
  @Needs.Meters
  @DisplayName("TCK-PERF-06 a fetch, an ack, a worker fetch and a worker ack take one trip each")
  void roundTrips() {
    create("x");
    poke("x");
    act("x", 2);
    long before = fixture().roundTrips();

    LockedOrchestration turn = fetched("x");
    assertThat(tripsSince(before)).as("fetch").isEqualTo(1);
    drain(turn);
    assertThat(tripsSince(before)).as("ack").isEqualTo(2);
    LockedWork work = work(2);
    assertThat(tripsSince(before)).as("worker fetch").isEqualTo(3);
    provider.ackWorkItem(work.lockToken(), Items.completed("x", 2));
    assertThat(tripsSince(before)).as("worker ack").isEqualTo(4);
    fetch(provider, OrchestrationFetch.of(LOCK, Duration.ZERO));
    assertThat(tripsSince(before)).as("fetch of what came of it").isEqualTo(5);
  }

  private long tripsSince(long before) {
    return fixture().roundTrips() - before;
  }

  @Test
  @Needs.Meters
  @DisplayName("TCK-PERF-07 a store that is emptied as fast as it is filled does not grow")
  void cycles() {
    create("x");
    int cycles = scaled(CYCLES);
    // A store may keep what it had to make room for once.
    cycles(cycles);
    fixture().storedBytes();
    Duration first = cycles(cycles);
    long size = fixture().storedBytes();
    Duration second = cycles(cycles);
    long later = fixture().storedBytes();

    report(
        "cycles",
        "%d in %d ms and %d bytes, as many again in %d ms and %d bytes"
            .formatted(cycles, first.toMillis(), size, second.toMillis(), later));
    assertThat(later).isLessThan((long) (size * MOST_GROWTH));
    if (fixture().enforcesThresholds()) {
      assertThat(second.toNanos()).isLessThan((long) (first.toNanos() * MOST_TIMES_SLOWER));
    }
  }

  private Duration cycles(int count) {
    var elapsed = SystemTime.stopwatch();
    for (int i = 0; i < count; i++) {
      poke("x");
      act("x", 2);
      drain(fetched("x"));
      provider.ackWorkItem(work(2).lockToken(), null);
    }
    return elapsed.get();
  }
}
