package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An instance that a node cannot load. */
class UnloadableTest extends Scenario {
  private static final Orchestration<String, String> FLOW = texts("Flow");
  private static final int ATTEMPTS = 3;

  private final AtomicInteger looks = new AtomicInteger();

  private LockedOrchestration notLoaded(LockedOrchestration locked) {
    OrchestrationItem item = locked.item();
    if (!item.instance().equals("bad")) {
      return locked;
    }
    looks.incrementAndGet();
    return new LockedOrchestration(
        new OrchestrationItem(
            item.execution(),
            item.orchestrationName(),
            item.version(),
            StoredHistory.NotLoaded.after(new OutOfMemoryError("made")),
            item.messages()),
        locked.lockToken(),
        locked.attemptCount());
  }

  @Test
  @DisplayName(
      "RL-034 it is set aside for 30 s, others are served; then failed without being loaded")
  void setAside() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    AtomicInteger runs = new AtomicInteger();
    world.start(
        world.options().maxAttempts(ATTEMPTS),
        node ->
            node.orchestration(
                FLOW,
                (ctx, input) -> {
                  runs.incrementAndGet();
                  return ctx.waitForEvent("go").await();
                }));
    for (String id : new String[] {"bad", "good"}) {
      world.client().start(FLOW, id, "");
      world.awaitEvent(id, EventKind.ExternalSubscribed.class);
    }
    faults.onFetchedTurn(this::notLoaded);
    int before = runs.get();
    world.client().raiseEvent("bad", "go", "");
    world.until(() -> looks.get() == 1);
    world.client().raiseEvent("good", "go", "done");
    assertThat(world.output("good")).isEqualTo("done");
    for (int look = 1; look <= ATTEMPTS; look++) {
      int looked = look;
      world.until(() -> looks.get() == looked);
      world.advance(Duration.ofSeconds(29));
      assertThat(looks.get()).isEqualTo(look);
      world.advance(Duration.ofSeconds(2));
    }

    assertThat(world.failure("bad")).contains("cannot be loaded");
    assertThat(looks.get()).isEqualTo(ATTEMPTS + 1);
    assertThat(runs.get() - before).as("runs of the other").isLessThanOrEqualTo(1);
  }
}
