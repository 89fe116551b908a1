package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MGMT: how many messages wait. */
public abstract class QueueDepthTck extends LifecycleSteps {
  /** For subclasses. */
  protected QueueDepthTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-07 a queued start is counted")
  void counted() {
    long before = admin().queueDepths().orchestrator().ready();
    start("x");
    assertThat(admin().queueDepths().orchestrator().ready()).isEqualTo(before + 1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-20 ready, locked and hidden messages are told apart")
  void depths() {
    depthsAre(0, 0, 0, 0, 0);
    create("x");
    poke("x");
    poke("x");
    act("x", 1);
    act("x", 2);
    enqueue(Items.timer("x", 3, now().plus(timeout(3))));
    depthsAre(2, 2, 1, 0, 0);
    LockedOrchestration turn = fetched(timeout());
    LockedWork work = work(timeout());
    depthsAre(0, 1, 1, 2, 1);
    provider.abandonOrchestrationItem(turn.lockToken(), Duration.ZERO, false);
    provider.abandonWorkItem(work.lockToken(), Duration.ZERO, false);
    depthsAre(2, 2, 1, 0, 0);
    fetched(timeout());
    work(timeout());
    depthsAre(0, 1, 1, 2, 1);
    letLocksExpire();
    depthsAre(2, 2, 1, 0, 0);
    advance(timeout(3));
    depthsAre(3, 2, 0, 0, 0);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-34 what waits for its time or for a start is delayed, not ready")
  void delayed() {
    enqueue(Items.raised("nobody", "early"));
    enqueue(Items.start("later"), timeout());
    enqueue(Items.raised("later", "early"));
    assertThat(admin().queueDepths().orchestrator()).isEqualTo(new QueueDepth(0, 3, 0));
    nothingToFetch();
    create("x");
    act("x", 1);
    provider.abandonWorkItem(work(1).lockToken(), timeout(), true);
    assertThat(admin().queueDepths().worker()).isEqualTo(new QueueDepth(0, 1, 0));
    letLocksExpire();
    assertThat(admin().queueDepths())
        .isEqualTo(new QueueDepths(new QueueDepth(2, 1, 0), new QueueDepth(1, 0, 0)));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-35 the messages of an instance that rests are not ready")
  void resting() {
    create("x");
    poke("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), timeout(), true);
    poke("x");
    assertThat(admin().queueDepths().orchestrator()).isEqualTo(new QueueDepth(0, 0, 2));
    letLocksExpire();
    assertThat(admin().queueDepths().orchestrator()).isEqualTo(new QueueDepth(2, 0, 0));
    drain(fetched("x"));
    assertThat(admin().queueDepths()).isEqualTo(QueueDepths.EMPTY);
  }

  private void depthsAre(long orchestrator, long worker, long timers, long turns, long activities) {
    assertThat(admin().queueDepths())
        .isEqualTo(
            new QueueDepths(
                new QueueDepth(orchestrator, timers, turns),
                new QueueDepth(worker, 0, activities)));
  }
}
