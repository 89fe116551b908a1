package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A deep tree of instances")
class DeepTreeTest {
  private static final int DEPTH = 2000;
  private static final SqliteOptions OPTIONS =
      SqliteOptions.DEFAULT.withDurability(Durability.NORMAL);

  private final Folder folder = Folder.create();
  private final Shortage meter = new Shortage();
  private final SqliteProvider store =
      new SqliteProvider(
          new Database(
              folder.file(), OPTIONS, meter.on(Connections.toFile(folder.file(), OPTIONS))));

  @AfterEach
  void close() {
    store.close();
    folder.close();
  }

  private void makeEnded(String id, ParentLink parent) throws InterruptedException {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(id, "Order", "{}", "1.0.0", parent), Duration.ZERO);
    LockedOrchestration turn =
        store
            .fetchOrchestrationItem(OrchestrationFetch.of(Duration.ofMinutes(5), Duration.ZERO))
            .orElseThrow();
    Event started =
        new Event(
            new ExecutionKey(id, 1),
            1,
            null,
            new EventStamp(Instant.EPOCH, "1.0.0"),
            new EventKind.OrchestrationStarted(
                "Order", "1.0.0", "{}", parent, Inheritance.NOTHING));
    store.commitTurn(
        new TurnSource.Fetched(turn.lockToken()),
        TurnCommit.events(
            1,
            List.of(started),
            ExecutionMetadata.started("Order", "1.0.0")
                .withParent(parent)
                .withStatus(ExecutionStatus.COMPLETED, "1")),
        WorkClaim.NONE);
  }

  @Test
  @DisplayName("RL-075 the preview of its deletion visits each instance once")
  void preview() throws InterruptedException {
    for (int i = 0; i < DEPTH; i++) {
      makeEnded("x" + i, i == 0 ? null : new ParentLink("x" + (i - 1), 1, 2));
    }
    long before = meter.rows();

    long deleted =
        store
            .management()
            .orElseThrow()
            .deleteInstanceBulk(InstanceFilter.ALL, BulkDeletion.DEFAULT.asDryRun())
            .instancesDeleted();

    assertThat(deleted).isEqualTo(DEPTH);
    assertThat(meter.rows() - before).isLessThan(20L * DEPTH);
  }
}
