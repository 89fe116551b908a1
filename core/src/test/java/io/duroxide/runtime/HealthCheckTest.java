package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.StoreHealth;
import io.duroxide.telemetry.Health;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HealthCheckTest {
  private final Hands hands = new Hands();
  private final StillTime time = new StillTime();
  private final HealthWatch watch = new HealthWatch(time);
  private RuntimeOptions options = RuntimeOptions.defaults();

  /** What the node has in hand. */
  private static final class Hands implements NodeVitals {
    int turns;
    int activities;
    int zombies;

    @Override
    public int turnsInProgress() {
      return turns;
    }

    @Override
    public int activitiesInProgress() {
      return activities;
    }

    @Override
    public int keptExecutions() {
      return 7;
    }

    @Override
    public int sessionsInFlight() {
      return 0;
    }

    @Override
    public int sessionsOwned() {
      return 0;
    }

    @Override
    public int zombieActivities() {
      return zombies;
    }
  }

  /** Moves when told to. */
  private static final class StillTime implements Waiting {
    long now = 1_000_000;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void sleep(Duration duration) {
      now += duration.toNanos();
    }
  }

  private HealthCheck check() {
    return new HealthCheck(watch, options, hands);
  }

  private Health health() {
    return check().open();
  }

  private void options(UnaryOperator<RuntimeOptions.Builder> change) {
    options = change.apply(RuntimeOptions.builder()).build();
  }

  private void bothFetched() {
    watch.fetched(WorkQueue.ORCHESTRATOR);
    watch.fetched(WorkQueue.WORKER);
  }

  @Test
  @DisplayName("a node that gets its answers is up, with figures and without complaints")
  void up() {
    hands.activities = 3;

    Health health = health();

    assertThat(health.status()).isEqualTo(Health.Status.UP);
    assertThat(health.problems()).isEmpty();
    assertThat(health.facts())
        .containsEntry("activities in progress", "3 of 200")
        .containsEntry("kept executions", "7")
        .containsEntry("last answer to a fetch of turns", "0 ms ago");
  }

  @Test
  @DisplayName(
      "a store that fails is passing trouble first, then the node is down; then it is over")
  void storeFails() {
    watch.fetchFailed(WorkQueue.WORKER, "connection refused");
    time.sleep(Duration.ofSeconds(2));
    watch.fetchFailed(WorkQueue.WORKER, "connection reset");
    assertThat(health().status()).isEqualTo(Health.Status.DEGRADED);
    assertThat(health().problems())
        .containsExactly(
            "The store has failed to answer for 2000 ms, to 2 fetches of activities in a row; the"
                + " last error: connection reset");

    time.sleep(Duration.ofSeconds(40));
    assertThat(health().status()).isEqualTo(Health.Status.DOWN);
    assertThat(health().problems().getFirst()).contains("for 42 s");

    watch.fetched(WorkQueue.ORCHESTRATOR);
    assertThat(health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  @DisplayName("RL-016 a thread that has ended takes the node down, by its name")
  void threadEnded() {
    Thread ended = Thread.ofVirtual().name("duroxide-leases-n1").unstarted(() -> {});
    StoreHealth store = new StoreHealth(3, 3, List.of());

    Health health = check().threads(List.of(Thread.currentThread(), ended), store).open();

    assertThat(health.status()).isEqualTo(Health.Status.DOWN);
    assertThat(health.problems())
        .containsExactly("The thread duroxide-leases-n1 has ended; restart the runtime.");
    assertThat(health.facts()).containsEntry("threads", "4 of 5 alive");
  }

  @Test
  @DisplayName("RL-016 a store that cannot go on takes the node down, in its own words")
  void storeBroken() {
    String broken = "The store's writer thread has ended; open the store anew.";
    StoreHealth store = new StoreHealth(2, 1, List.of(broken));

    Health health = check().threads(List.of(Thread.currentThread()), store).open();

    assertThat(health.status()).isEqualTo(Health.Status.DOWN);
    assertThat(health.problems()).containsExactly(broken);
    assertThat(health.facts()).containsEntry("threads", "2 of 3 alive");
  }

  @Test
  @DisplayName("a store that fails is there again with any call that it answers")
  void backAtOnce() {
    watch.fetchFailed(WorkQueue.ORCHESTRATOR, "gone");
    watch.fetchFailed(WorkQueue.WORKER, "gone");
    time.sleep(Duration.ofSeconds(11));
    assertThat(health().status()).isEqualTo(Health.Status.DOWN);

    watch.storeAnswered();

    assertThat(health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  @DisplayName("slots that stay full, and fetches that do not come back, are told apart")
  void saturation() {
    hands.activities = 200;
    assertThat(health().status()).isEqualTo(Health.Status.UP);

    time.sleep(Duration.ofSeconds(50));
    watch.fetched(WorkQueue.ORCHESTRATOR);
    assertThat(health().problems())
        .containsExactly(
            "All 200 slots for activities have been busy for 50 s; nothing more is fetched.");

    hands.activities = 0;
    assertThat(health().problems())
        .containsExactly(
            "No fetch of activities has come back for 50 s, although each should within 30 s.");
    assertThat(health().status()).isEqualTo(Health.Status.DEGRADED);
  }

  @Test
  @DisplayName("what a node does not run it is not blamed for")
  void notRun() {
    options(o -> o.workerConcurrency(0));
    time.sleep(Duration.ofHours(1));
    watch.fetched(WorkQueue.ORCHESTRATOR);

    Health health = check().open();

    assertThat(health.status()).isEqualTo(Health.Status.UP);
    assertThat(health.facts()).containsEntry("activities", "not run by this node");
  }

  @Test
  @DisplayName("lost locks and poison are problems for a while, and figures for ever")
  void recent() {
    watch.lockLost();
    watch.poisoned();
    watch.poisoned();
    time.sleep(Duration.ofSeconds(20));
    bothFetched();
    assertThat(health().problems())
        .hasSize(2)
        .anyMatch(text -> text.startsWith("1 locks were lost"))
        .anyMatch(text -> text.startsWith("2 instances or activities were given up as poison"));

    time.sleep(Duration.ofMinutes(11));
    bothFetched();
    assertThat(health().status()).isEqualTo(Health.Status.UP);
    assertThat(health().facts())
        .containsEntry("locks lost", "1")
        .containsEntry("given up as poison", "2");
  }

  @Test
  @DisplayName("work that waits for a missing handler is named, as long as it is met")
  void missingHandlers() {
    watch.handlerMissing("activity Charge");
    watch.handlerMissing("orchestration Order@2.0.0");
    time.sleep(Duration.ofSeconds(15));
    bothFetched();
    watch.handlerMissing("activity Charge");
    assertThat(health().problems())
        .containsExactly(
            "Work waits for orchestration Order@2.0.0, which is not registered here; last met 15 s"
                + " ago.",
            "Work waits for activity Charge, which is not registered here; last met 0 ms ago.");

    time.sleep(options.unregisteredMaxDelay().multipliedBy(3));
    bothFetched();
    assertThat(health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  @DisplayName("only so many missing handlers are remembered")
  void manyMissingHandlers() {
    for (int i = 0; i < 1_000; i++) {
      watch.handlerMissing("activity A" + i);
    }

    assertThat(health().problems()).hasSize(20).last().asString().contains("A999");
  }

  @Test
  @DisplayName("handlers that would not stop are counted; a closed runtime is down")
  void others() {
    hands.zombies = 2;
    assertThat(health().problems().getFirst()).startsWith("2 cancelled activities did not stop");

    assertThat(check().closed().status()).isEqualTo(Health.Status.DOWN);
    assertThat(check().closed().problems()).containsExactly("The runtime is closed.");
  }

  @Test
  @DisplayName("RL-017 a class that the JVM cannot prepare any more is DOWN, whatever else works")
  void brokenClass() {
    watch.met(new IllegalStateException("no"));
    assertThat(health().status()).isEqualTo(Health.Status.UP);

    watch.met(new IllegalStateException(new NoClassDefFoundError("Could not initialize class X")));
    watch.fetched(WorkQueue.ORCHESTRATOR);
    watch.storeAnswered();
    assertThat(health().status()).isEqualTo(Health.Status.DOWN);
    assertThat(health().problems().getFirst())
        .contains("Could not initialize class X", "restart the process");
  }
}
