package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * PERF: runtimes under load and at rest (15.13). Everything has to succeed; how fast is reported,
 * and compared with the catalog's bounds only where the fixture enforces them.
 */
@Needs.Node
@Needs.Load
public abstract class LoadTck extends RuntimeSteps {
  private static final Activity<String, String> SHORT_WORK = activity("ShortWork");
  private static final Orchestration<String, String> FAN_OUT = orchestration("FanOut");
  private static final Orchestration<String, String> LARGE = orchestration("Large");
  private static final Orchestration<String, String> LARGE_CHILD = orchestration("LargeChild");
  private static final Duration WORK = Duration.ofMillis(10);
  private static final int BRANCHES = 5;
  private static final int CONCURRENT = 20;
  private static final int ORCHESTRATIONS = 1_000;
  private static final int LARGE_ORCHESTRATIONS = 100;
  private static final int KIBIBYTE = 1024;
  private static final int LARGE_STEPS = 16;
  private static final int IDLE_SECONDS = 60;
  private static final int LEAST_IDLE_SECONDS = 3;
  private static final Duration QUIET = Duration.ofSeconds(3);
  private static final int MOST_LOOKS = 10;

  /** What a quiet node may ask its store in a second. */
  private static final double IDLE_BOUND = 2.0;

  /** What throughput may lose from one measurement to the next by chance. */
  private static final double NOISE = 0.9;

  /** For subclasses. */
  protected LoadTck() {}

  /**
   * How a run went.
   *
   * @param perSecond orchestrations that ended in a second
   * @param average how long one of them took
   */
  private record Figures(double perSecond, Duration average) {}

  @Test
  @DisplayName("TCK-PERF-01 parallel orchestrations with a fan-out all succeed")
  void parallel() {
    Figures one = fanOuts(1);
    Figures two = fanOuts(2);

    if (fixture().enforcesThresholds()) {
      assertThat(one.perSecond()).isGreaterThanOrEqualTo(10);
      assertThat(two.perSecond()).isGreaterThan(one.perSecond() * 1.3);
    }
  }

  @Test
  @DisplayName("TCK-PERF-03 more dispatchers on one store never mean less throughput")
  void dispatchers() {
    List<Figures> figures = IntStream.of(1, 2, 4, 8).mapToObj(this::fanOuts).toList();

    for (int i = 1; fixture().enforcesThresholds() && i < figures.size(); i++) {
      assertThat(figures.get(i).perSecond()).isGreaterThan(figures.get(i - 1).perSecond() * NOISE);
    }
  }

  private Figures fanOuts(int dispatchers) {
    DuroxideRuntime node =
        node(
            provider,
            options().orchestrationConcurrency(dispatchers).workerConcurrency(dispatchers),
            registrations ->
                registrations
                    .activity(
                        SHORT_WORK,
                        (ctx, input) -> {
                          SystemTime.sleep(WORK);
                          return input;
                        })
                    .orchestration(
                        FAN_OUT,
                        (ctx, input) ->
                            String.join(
                                "",
                                ctx.all(
                                    IntStream.range(0, BRANCHES)
                                        .mapToObj(i -> ctx.call(SHORT_WORK, input))
                                        .toList()))));
    Figures figures =
        run(FAN_OUT, "fan-" + dispatchers + "-", Math.max(CONCURRENT, scaled(ORCHESTRATIONS)));
    stop(node);
    report(
        "%d/%d dispatchers".formatted(dispatchers, dispatchers),
        "%.1f orchestrations/s, %d ms each"
            .formatted(figures.perSecond(), figures.average().toMillis()));
    return figures;
  }

  /** Runs this many instances, some of them at a time, and checks that all complete. */
  private Figures run(Orchestration<String, String> orchestration, String prefix, int count) {
    AtomicInteger next = new AtomicInteger();
    AtomicLong spentMillis = new AtomicLong();
    Callable<Boolean> caller =
        () -> {
          for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            var elapsed = SystemTime.stopwatch();
            client().start(orchestration, prefix + i, Integer.toString(i % 10));
            completed(prefix + i);
            spentMillis.addAndGet(elapsed.get().toMillis());
          }
          return true;
        };
    var elapsed = SystemTime.stopwatch();
    List<Future<Boolean>> callers = new ArrayList<>();
    for (int i = 0; i < CONCURRENT; i++) {
      callers.add(race().start(caller));
    }
    callers.forEach(each -> Race.outcome(each).get());
    return new Figures(
        count * 1000.0 / Math.max(1, elapsed.get().toMillis()),
        Duration.ofMillis(spentMillis.get() / count));
  }

  private void completed(String instance) {
    assertThat(client().waitForCompletion(instance, PATIENCE))
        .as(instance)
        .isInstanceOf(OrchestrationStatus.Completed.class);
  }

  @Test
  @DisplayName("TCK-PERF-02 large payloads, long histories and children all succeed")
  void largePayloads() {
    for (int size : List.of(10 * KIBIBYTE, 50 * KIBIBYTE, 100 * KIBIBYTE)) {
      String payload = "x".repeat(size);
      DuroxideRuntime node =
          node(registrations ->
              registrations
                  .activity(SHORT_WORK, (ctx, input) -> payload)
                  .orchestration(
                      LARGE,
                      (ctx, input) -> {
                        for (int i = 0; i < LARGE_STEPS; i++) {
                          ctx.call(SHORT_WORK, payload).await();
                          ctx.call(LARGE_CHILD, payload).await();
                        }
                        return payload;
                      })
                  .orchestration(LARGE_CHILD, (ctx, input) -> ctx.call(SHORT_WORK, input).await()));
      String prefix = "large-" + size + "-";
      Figures figures = run(LARGE, prefix, Math.max(2, scaled(LARGE_ORCHESTRATIONS)));
      stop(node);

      assertThat(output(prefix + 0)).isEqualTo(payload);
      assertThat(kinds(provider.read(prefix + 0), EventKind.Completion.class))
          .hasSize(2 * LARGE_STEPS);
      report("payloads of " + size + " bytes", "%.1f/s".formatted(figures.perSecond()));
    }
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-PERF-05 a node at rest leaves its store alone")
  void idle() {
    AtomicLong operations = new AtomicLong();
    node(
        new InstrumentedProvider(provider, operation -> operations.incrementAndGet()),
        options().longPollTimeout(Duration.ofSeconds(30)),
        registrations -> registrations.orchestration(FAN_OUT, (ctx, input) -> input));
    Duration idle = Duration.ofSeconds(Math.max(LEAST_IDLE_SECONDS, scaled(IDLE_SECONDS)));
    awaitRest(operations);
    long operationsBefore = operations.get();
    long statementsBefore = statements();

    SystemTime.sleep(idle);

    double perSecond = (operations.get() - operationsBefore) / (double) idle.toSeconds();
    double statementsPerSecond = (statements() - statementsBefore) / (double) idle.toSeconds();
    report("operations/s", "%.2f".formatted(perSecond));
    report("statements/s", "%.2f".formatted(statementsPerSecond));
    assertThat(perSecond).isLessThan(IDLE_BOUND);
    assertThat(statementsPerSecond).isLessThan(IDLE_BOUND);
  }

  /**
   * It rests once nothing was asked of the store for a while; a store may look once more by itself.
   */
  private static void awaitRest(AtomicLong operations) {
    long before = -1;
    for (int left = MOST_LOOKS; operations.get() != before && left > 0; left--) {
      before = operations.get();
      SystemTime.sleep(QUIET);
    }
  }

  /** 0 where nobody counts them. */
  private long statements() {
    return fixture().features().contains(Feature.METERS) ? fixture().statements() : 0;
  }
}
