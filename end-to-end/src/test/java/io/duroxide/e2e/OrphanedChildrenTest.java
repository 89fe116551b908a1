package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.management.CleanedOrphans;
import io.duroxide.management.Force;
import io.duroxide.management.Management;
import io.duroxide.management.ManagementException;
import io.duroxide.management.OrphanCleaning;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TelemetryEvent;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Children that nobody waits for. */
class OrphanedChildrenTest extends Scenario {
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final Orchestration<String, String> PARENT = texts("Parent");
  private static final Orchestration<Integer, String> ETERNAL =
      Orchestration.of("Eternal", Integer.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);

  private final List<TelemetryEvent> told = new CopyOnWriteArrayList<>();

  private Management management() {
    return Management.of(world.store()).withTelemetry(told::add);
  }

  /** Parents that ask for a child and do not wait for it to end. */
  private void startNode() {
    world.start(node ->
        node.orchestration(CHILD, (ctx, in) -> in.isEmpty() ? ctx.waitFor(GO).await() : in)
            .orchestration(
                PARENT,
                (ctx, in) -> {
                  ctx.call(CHILD, in, ChildOptions.instanceId("child-of-" + ctx.instanceId()));
                  return ctx.waitFor(GO).await();
                })
            .orchestration(ETERNAL, OrphanedChildrenTest::eternal));
  }

  private static String eternal(OrchestrationContext ctx, int round) {
    ctx.call(CHILD, "done", ChildOptions.instanceId("child-" + round)).await();
    ctx.waitFor(GO).await();
    return ctx.continueAsNew(round + 1);
  }

  private void startParent(String parent, String childInput) {
    world.client().start(PARENT, parent, childInput);
    world.awaitEvent("child-of-" + parent, EventKind.OrchestrationStarted.class);
    if (!childInput.isEmpty()) {
      world.awaitEvent(parent, EventKind.SubOrchestrationCompleted.class);
    }
  }

  private void endParent(String parent) {
    world.client().raiseEvent(parent, GO, "");
    world.output(parent);
  }

  private Map<String, OrphanKind> orphans() {
    return management().orphans(OrphanFilter.ALL, null, 100).rows().stream()
        .collect(Collectors.toMap(orphan -> orphan.instance().instance(), Orphan::kind));
  }

  private List<StorageEvent.OrphansCleaned> cleaned() {
    return told.stream()
        .filter(StorageEvent.OrphansCleaned.class::isInstance)
        .map(StorageEvent.OrphansCleaned.class::cast)
        .toList();
  }

  @Test
  @DisplayName("E2E-950 children of ended and moved-on parents are found and deleted, others not")
  void cleaned950() {
    startNode();
    startParent("waiting", "done");
    startParent("ended", "done");
    endParent("ended");
    world.client().start(ETERNAL, "eternal", 1);
    world.awaitEvent("eternal", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("eternal", GO, "");
    awaitEvent("eternal", 2, EventKind.ExternalSubscribed.class);

    assertThat(orphans())
        .isEqualTo(
            Map.of(
                "child-of-ended", OrphanKind.PARENT_FINISHED,
                "child-1", OrphanKind.PARENT_MOVED_ON));
    assertThatThrownBy(() -> management().delete("child-1", Force.YES))
        .isInstanceOf(ManagementException.CannotDeleteSubOrchestration.class);
    DeleteResult both = new DeleteResult(2, 2, 4, 0);
    assertThat(management().cleanOrphans(OrphanFilter.ALL, OrphanCleaning.DEFAULT.asDryRun()))
        .isEqualTo(new CleanedOrphans(both, 0, 0));
    assertThat(orphans()).hasSize(2);
    assertThat(cleaned()).isEmpty();

    assertThat(management().cleanOrphans(OrphanFilter.ALL, OrphanCleaning.DEFAULT))
        .isEqualTo(new CleanedOrphans(both, 0, 0));
    assertThat(orphans()).isEmpty();
    assertThat(world.client().status("child-1")).isInstanceOf(OrchestrationStatus.NotFound.class);
    assertThat(world.client().status("child-2")).isInstanceOf(OrchestrationStatus.Completed.class);
    assertThat(world.client().status("child-of-waiting"))
        .isInstanceOf(OrchestrationStatus.Completed.class);
    assertThat(cleaned())
        .containsExactlyInAnyOrder(
            new StorageEvent.OrphansCleaned(StorageEvent.OrphanKind.PARENT_ENDED, 1),
            new StorageEvent.OrphansCleaned(StorageEvent.OrphanKind.PARENT_MOVED_ON, 1));
  }

  /** A child of an instance that does not exist. */
  private void startLost(String child, String parent, String input) {
    batch(
        new WorkItem.StartOrchestration(
            child, CHILD.name(), input, null, new ParentLink(parent, 7, 2)));
    world.awaitEvent(child, EventKind.OrchestrationStarted.class);
  }

  @Test
  @DisplayName("E2E-950 orphans that run are reported, or cancelled and deleted the next time")
  void running() {
    startNode();
    startLost("lost", "never", "");
    assertThat(orphans()).isEqualTo(Map.of("lost", OrphanKind.PARENT_GONE));

    CleanedOrphans reported = new CleanedOrphans(DeleteResult.NONE, 1, 0);
    CleanedOrphans cancelled = new CleanedOrphans(DeleteResult.NONE, 1, 1);
    OrphanCleaning cancelling = OrphanCleaning.DEFAULT.cancellingRunning();
    assertThat(clean(OrphanCleaning.DEFAULT)).isEqualTo(reported);
    assertThat(clean(cancelling.asDryRun())).isEqualTo(cancelled);
    assertThat(world.client().status("lost")).isInstanceOf(OrchestrationStatus.Running.class);
    assertThat(clean(cancelling)).isEqualTo(cancelled);
    assertThat(world.failure("lost")).contains("orphaned");
    assertThat(clean(cancelling).deleted().instancesDeleted()).isEqualTo(1);
    assertThat(world.client().status("lost")).isInstanceOf(OrchestrationStatus.NotFound.class);
    assertThat(cleaned())
        .containsExactly(
            new StorageEvent.OrphansCleaned(StorageEvent.OrphanKind.PARENT_DELETED, 1));
  }

  private CleanedOrphans clean(OrphanCleaning how) {
    return management().cleanOrphans(OrphanFilter.ALL, how);
  }

  @Test
  @DisplayName("E2E-950 a child whose parent appears between search and deletion is kept")
  void reattached() {
    startNode();
    startLost("lost", "late", "done");
    world.output("lost");
    OrphanPage found = management().orphans(OrphanFilter.ALL, null, 10);
    assertThat(found.rows()).hasSize(1);
    world.client().start(CHILD, "late", "");
    world.awaitEvent("late", EventKind.ExternalSubscribed.class);
    assertThat(admin().deleteOrphan("lost", OrphanFilter.ALL, false)).isEqualTo(DeleteResult.NONE);
    assertThat(clean(OrphanCleaning.DEFAULT))
        .isEqualTo(new CleanedOrphans(DeleteResult.NONE, 0, 0));
    assertThat(world.client().status("lost")).isInstanceOf(OrchestrationStatus.Completed.class);
    assertThat(orphans()).isEmpty();
  }

  @Test
  @DisplayName("E2E-950 a clean-up stops at its limit and counts each tree once")
  void limited() {
    startNode();
    for (int i = 0; i < 3; i++) {
      startLost("lost-" + i, "never", "done");
      world.output("lost-" + i);
    }
    startLost("below", "lost-0", "done");
    world.output("below");
    assertThat(clean(OrphanCleaning.DEFAULT.asDryRun()).deleted().instancesDeleted()).isEqualTo(4);
    assertThat(clean(OrphanCleaning.DEFAULT.withLimit(1)).deleted().instancesDeleted())
        .isBetween(1L, 2L);
    assertThat(orphans()).hasSizeBetween(2, 3);
    clean(OrphanCleaning.DEFAULT);
    assertThat(orphans()).isEmpty();
    assertThat(management().metrics().totalInstances()).isZero();
  }
}
