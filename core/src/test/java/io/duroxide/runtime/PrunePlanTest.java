package io.duroxide.runtime;

import static io.duroxide.model.Retention.keepLast;
import static io.duroxide.model.Retention.maxAge;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Retention;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.PruneOptions;
import io.duroxide.runtime.PrunePlan.Prune;
import io.duroxide.telemetry.StorageEvent.PruneSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PrunePlanTest {
  private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Orchestration<String, String> LOOP =
      Orchestration.of("Loop", String.class, String.class);
  private static final OrchestrationRegistry EMPTY = OrchestrationRegistry.builder().build();

  private static OrchestrationRegistry.Builder registered() {
    return OrchestrationRegistry.builder()
        .register(LOOP, (ctx, in) -> in)
        .register(LOOP, "2.0.0", (ctx, in) -> in);
  }

  private static AutoPrunePolicy keep(int count) {
    return AutoPrunePolicy.of(keepLast(count));
  }

  private static TurnStart start(
      long execution, @Nullable AutoPrune instance, @Nullable Retention asked) {
    ExecutionKey key = new ExecutionKey("x", execution);
    EventKind.OrchestrationStarted started =
        new EventKind.OrchestrationStarted(
            "Loop", "2.0.0", "", null, new Inheritance(List.of(), null, instance));
    Event first = new Event(key, 1, null, new EventStamp(NOON, "0.1.0"), started);
    Arrivals nothing = new Arrivals(List.of(), List.of());
    return new TurnStart(key, started, first, List.of(), nothing, null, asked);
  }

  private static Optional<Prune> decide(
      AutoPruneConfig config, OrchestrationRegistry registry, TurnStart start) {
    return new PrunePlan(config, registry, NOON).atStart(start);
  }

  private static Optional<Prune> wanted(int count, int previous, PruneSource source) {
    return Optional.of(
        new Prune(PruneOptions.keepLast(count).withKeepPreviousVersion(previous), source));
  }

  @Test
  @DisplayName("E2E-944 the first source that says something counts, in the given order")
  void precedence() {
    AutoPruneConfig config =
        AutoPruneConfig.PLAIN.withOverride("Loop", keep(3)).withDefault(keep(6));
    AutoPruneConfig withoutOverride = AutoPruneConfig.PLAIN.withDefault(keep(6));
    OrchestrationRegistry both =
        registered().autoPrune("Loop", keep(5)).autoPrune("Loop", "2.0.0", keep(4)).build();
    OrchestrationRegistry named = registered().autoPrune("Loop", keep(5)).build();

    assertThat(decide(config, both, start(2, keep(2), keepLast(1))))
        .isEqualTo(wanted(1, 0, PruneSource.CONTINUE_AS_NEW));
    assertThat(decide(config, both, start(2, keep(2), null)))
        .isEqualTo(wanted(2, 1, PruneSource.INSTANCE));
    assertThat(decide(config, both, start(2, null, null)))
        .isEqualTo(wanted(3, 1, PruneSource.RUNTIME));
    assertThat(decide(withoutOverride, both, start(2, null, null)))
        .isEqualTo(wanted(4, 1, PruneSource.REGISTRATION));
    assertThat(decide(withoutOverride, named, start(2, null, null)))
        .isEqualTo(wanted(5, 1, PruneSource.REGISTRATION));
    assertThat(decide(withoutOverride, EMPTY, start(2, null, null)))
        .isEqualTo(wanted(6, 1, PruneSource.RUNTIME));
    assertThat(decide(AutoPruneConfig.PLAIN, EMPTY, start(2, null, null))).isEmpty();
  }

  @Test
  @DisplayName("E2E-944 an instance that is opted out has no implicit policy; code still prunes")
  void optedOut() {
    AutoPruneConfig config = AutoPruneConfig.PLAIN.withOverride("Loop", keep(3));
    assertThat(decide(config, EMPTY, start(2, AutoPrune.DISABLED, null))).isEmpty();
    assertThat(decide(config, EMPTY, start(2, AutoPrune.DISABLED, keepLast(1)))).isPresent();
  }

  @Test
  @DisplayName("E2E-943 switched off, nothing implicit is left; code and instances count")
  void switchedOff() {
    AutoPruneConfig off =
        AutoPruneConfig.PLAIN.withOverride("Loop", keep(3)).withDefault(keep(6)).withEnabled(false);
    OrchestrationRegistry registry = registered().autoPrune("Loop", keep(5)).build();
    assertThat(decide(off, registry, start(2, null, null))).isEmpty();
    assertThat(decide(off, registry, start(2, keep(2), null))).isPresent();
    assertThat(decide(off, registry, start(2, null, keepLast(1)))).isPresent();
  }

  @Test
  @DisplayName("E2E-942 a policy for every tenth execution is due when the id is divisible by ten")
  void everyTenth() {
    OrchestrationRegistry registry = registered().autoPrune("Loop", keep(2).every(10)).build();
    for (long execution = 2; execution <= 30; execution++) {
      assertThat(decide(AutoPruneConfig.PLAIN, registry, start(execution, null, null)).isPresent())
          .isEqualTo(execution % 10 == 0);
    }
  }

  @Test
  @DisplayName("E2E-945 the floor restrains every source: the larger count, the longer time")
  void floor() {
    AutoPruneConfig counted = AutoPruneConfig.PLAIN.withFloor(keepLast(5));
    AutoPruneConfig timed = AutoPruneConfig.PLAIN.withFloor(maxAge(WEEK));
    assertThat(options(counted, keepLast(1))).isEqualTo(PruneOptions.keepLast(5));
    assertThat(options(counted, keepLast(9))).isEqualTo(PruneOptions.keepLast(9));
    assertThat(options(counted, maxAge(WEEK)))
        .isEqualTo(PruneOptions.completedBefore(NOON.minus(WEEK)).withKeepLast(5));
    assertThat(options(timed, keepLast(1)))
        .isEqualTo(PruneOptions.completedBefore(NOON.minus(WEEK)).withKeepLast(1));
    assertThat(options(timed, maxAge(Duration.ofDays(1))))
        .isEqualTo(PruneOptions.completedBefore(NOON.minus(WEEK)));
    assertThat(options(timed, maxAge(Duration.ofDays(30))))
        .isEqualTo(PruneOptions.completedBefore(NOON.minus(Duration.ofDays(30))));
    assertThat(options(AutoPruneConfig.PLAIN, maxAge(Duration.ofSeconds(Long.MAX_VALUE))))
        .isEqualTo(PruneOptions.completedBefore(Instant.MIN));
    for (TurnStart start :
        List.of(start(2, null, keepLast(1)), start(2, keep(1), null), start(2, null, null))) {
      assertThat(decide(counted.withDefault(keep(1)), EMPTY, start).orElseThrow().options())
          .extracting(PruneOptions::keepLast)
          .isEqualTo(5);
    }
  }

  private static PruneOptions options(AutoPruneConfig config, Retention retention) {
    return new PrunePlan(config, EMPTY, NOON).options(retention);
  }

  @Test
  @DisplayName(
      "E2E-944 a sweep asks everyone but the code, and does not wait for a tenth execution")
  void sweep() {
    OrchestrationRegistry registry = registered().autoPrune("Loop", keep(2).every(10)).build();
    PrunePlan plan = new PrunePlan(AutoPruneConfig.PLAIN, registry, NOON);
    OrchestrationIdentity loop = new OrchestrationIdentity("Loop", "1.0.0");
    assertThat(plan.atSweep(null, loop)).isEqualTo(wanted(2, 1, PruneSource.REGISTRATION));
    assertThat(plan.atSweep(keep(7), loop)).isEqualTo(wanted(7, 1, PruneSource.INSTANCE));
    assertThat(plan.atSweep(AutoPrune.DISABLED, loop)).isEmpty();
    assertThat(plan.atSweep(null, new OrchestrationIdentity("Other", "1.0.0"))).isEmpty();
  }

  @Test
  @DisplayName("a policy that keeps nothing, or has no criterion, is refused when it is made")
  void refusedPolicies() {
    assertThatThrownBy(() -> keepLast(0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> new Retention(null, null)).hasMessageContaining("how many");
    assertThatThrownBy(() -> maxAge(Duration.ofDays(-1))).hasMessageContaining("negative");
    assertThatThrownBy(() -> keep(1).every(0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> keep(1).withKeepPreviousVersion(-1)).hasMessageContaining("negative");
    PruneSweep sweep = PruneSweep.every(WEEK);
    assertThatThrownBy(() -> sweep.deleting(ExecutionStatus.RUNNING, WEEK))
        .hasMessageContaining("RUNNING");
    assertThatThrownBy(() -> PruneSweep.every(Duration.ZERO)).hasMessageContaining("positive");
    assertThatThrownBy(() -> sweep.withLimit(0)).hasMessageContaining("at least 1");
  }

  @Test
  @DisplayName("policies for what is not registered, or that contradict each other, are refused")
  void refusedRegistrations() {
    assertThatThrownBy(() -> registered().autoPrune("Lop", keep(1)).build())
        .hasMessageContaining("Lop, which is not registered");
    assertThatThrownBy(() -> registered().autoPrune("Loop", "9.0.0", keep(1)).build())
        .hasMessageContaining("Loop@9.0.0, which is not registered");
    OrchestrationRegistry one = registered().autoPrune("Loop", keep(1)).build();
    assertThatThrownBy(
            () -> OrchestrationRegistry.builder().merge(one).autoPrune("Loop", keep(2)).build())
        .hasMessageContaining("conflicting pruning policies for Loop");
    assertThat(one.extend().build().autoPrune("Loop", "1.0.0")).contains(keep(1));
    assertThat(OrchestrationRegistry.builder().merge(one).build().autoPrune("Loop", "1.0.0"))
        .contains(keep(1));
  }

  @Test
  @DisplayName("E2E-943 a configuration that cannot be read leaves the last one in force")
  void unreadable() {
    AtomicReference<@Nullable AutoPruneConfig> source =
        new AtomicReference<>(AutoPruneConfig.PLAIN.withFloor(keepLast(5)));
    RuntimeOptions options =
        RuntimeOptions.builder()
            .autoPrune(() -> {
              AutoPruneConfig config = source.get();
              if (config == null) {
                throw new IllegalStateException("file is gone");
              }
              return config;
            })
            .build();
    source.set(AutoPruneConfig.PLAIN.withFloor(keepLast(7)));
    assertThat(options.autoPrune().floor()).isEqualTo(keepLast(7));
    source.set(null);
    assertThat(options.autoPrune().floor()).isEqualTo(keepLast(7));
    assertThatThrownBy(() ->
            RuntimeOptions.builder()
                .autoPrune(() -> {
                  throw new IllegalStateException("no file");
                })
                .build())
        .hasMessage("no file");
  }
}
