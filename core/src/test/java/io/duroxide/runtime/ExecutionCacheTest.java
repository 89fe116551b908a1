package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.provider.CachedHistory;
import io.duroxide.replay.Author;
import io.duroxide.replay.EngineOptions;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import io.duroxide.replay.HistoryPruning;
import io.duroxide.replay.TurnInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Parked executions")
class ExecutionCacheTest {
  private final List<String> discarded = new ArrayList<>();

  /** An execution that waits, and reports when it is made to stop. */
  private Execution parked(String instance) {
    ExecutionKey key = new ExecutionKey(instance, 1);
    EngineOptions options =
        new EngineOptions(
            () -> Turns.NOON,
            () -> new UUID(0, 7),
            DataConverter.json(),
            Limits.DEFAULT,
            Duration.ofSeconds(10),
            new Author("0.1.0", "node"),
            HistoryPruning.NONE);
    ExecutionSetup setup =
        new ExecutionSetup(
            key,
            "Order",
            "1.0.0",
            (ctx, in) -> {
              try {
                return ctx.waitForEvent("go").await();
              } finally {
                discarded.add(instance);
              }
            },
            options);
    Execution execution = new Execution(setup);
    var started =
        new EventKind.OrchestrationStarted("Order", "1.0.0", "in", null, Inheritance.NOTHING);
    execution.turn(
        new TurnInput(
            List.of(new Event(key, 1, null, Turns.STAMP, started)), 0, List.of(), Map.of()));
    return execution;
  }

  private static ExecutionKey key(String instance) {
    return new ExecutionKey(instance, 1);
  }

  private static long lastEventId(ExecutionCache cache, ExecutionKey key) {
    CachedHistory.Tip tip = cache.tip(key);
    return tip == null ? 0 : tip.lastEventId();
  }

  @Test
  @DisplayName("an execution is found until it is taken out")
  void keepAndTake() {
    ExecutionCache cache = new ExecutionCache(2, new InstanceTurns(4), evicted -> {});
    Execution a = parked("a");
    cache.keep(a, "token");

    assertThat(lastEventId(cache, key("a"))).isEqualTo(2);
    assertThat(lastEventId(cache, new ExecutionKey("a", 2))).isZero();
    assertThat(cache.take(key("a"))).containsSame(a);
    assertThat(cache.take(key("a"))).isEmpty();
    assertThat(lastEventId(cache, key("a"))).isZero();
    assertThat(discarded).isEmpty();
    a.discard();
  }

  @Test
  @DisplayName("beyond the bound the least recently used is discarded")
  void evictsTheOldest() {
    ExecutionCache cache = new ExecutionCache(2, new InstanceTurns(4), evicted -> {});
    cache.keep(parked("a"), "token");
    cache.keep(parked("b"), "token");
    cache.keep(parked("c"), "token");

    assertThat(discarded).containsExactly("a");
    assertThat(cache.size()).isEqualTo(2);
    assertThat(cache.take(key("a"))).isEmpty();
    cache.close();
  }

  @Test
  @DisplayName("an execution that was asked for stays longer than one that was not")
  void useKeepsAlive() {
    ExecutionCache cache = new ExecutionCache(2, new InstanceTurns(4), evicted -> {});
    cache.keep(parked("a"), "token");
    cache.keep(parked("b"), "token");
    assertThat(lastEventId(cache, key("a"))).isEqualTo(2);
    cache.keep(parked("c"), "token");

    assertThat(discarded).containsExactly("b");
    cache.close();
  }

  @Test
  @DisplayName("a capacity of 0 keeps nothing")
  void keepsNothing() {
    ExecutionCache cache = new ExecutionCache(0, new InstanceTurns(4), evicted -> {});
    cache.keep(parked("a"), "token");

    assertThat(discarded).containsExactly("a");
    assertThat(cache.size()).isZero();
    assertThat(lastEventId(cache, key("a"))).isZero();
  }

  @Test
  @DisplayName("the newer of two for the same execution replaces the older, which is discarded")
  void replaces() {
    ExecutionCache cache = new ExecutionCache(2, new InstanceTurns(4), evicted -> {});
    Execution newer = parked("a");
    cache.keep(parked("a"), "token");
    cache.keep(newer, "token");

    assertThat(discarded).containsExactly("a");
    assertThat(cache.take(key("a"))).containsSame(newer);
    newer.discard();
  }

  @Test
  @DisplayName("clearing discards everything")
  void clears() {
    ExecutionCache cache = new ExecutionCache(3, new InstanceTurns(4), evicted -> {});
    cache.keep(parked("a"), "token");
    cache.keep(parked("b"), "token");
    cache.close();

    assertThat(discarded).containsExactlyInAnyOrder("a", "b");
    assertThat(cache.size()).isZero();
  }
}
