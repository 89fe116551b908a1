package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.TurnCommit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** DEL: children that nobody waits for. */
public abstract class OrphanedChildrenTck extends LifecycleSteps {
  private static final int LIMIT = 100;

  /** For subclasses. */
  protected OrphanedChildrenTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-28 children are orphans once their parent is gone, finished or moved on")
  void kinds() {
    createChild("lost", "never-existed");
    create("finished");
    createChild("left", "finished");
    create("eternal");
    createChild("old", "eternal");
    create("waiting");
    createChild("wanted", "waiting");
    assertThat(orphans(OrphanFilter.ALL)).isEqualTo(Map.of("lost", OrphanKind.PARENT_GONE));
    complete("finished");
    endForContinue("eternal");
    assertThat(orphans(OrphanFilter.ALL))
        .isEqualTo(Map.of("lost", OrphanKind.PARENT_GONE, "left", OrphanKind.PARENT_FINISHED));
    enqueue(Items.continueAsNew("eternal"));
    ack(fetched("eternal"), firstTurn(new ExecutionKey("eternal", 2)));
    child("young", new ParentLink("eternal", 2, 2));
    assertThat(orphans(OrphanFilter.ALL))
        .isEqualTo(
            Map.of(
                "lost", OrphanKind.PARENT_GONE,
                "left", OrphanKind.PARENT_FINISHED,
                "old", OrphanKind.PARENT_MOVED_ON));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-29 orphans are filtered by kind, by their status and by their parent's end")
  void filters() {
    createChild("lost", "never-existed");
    create("early");
    createCompletedChild("done", "early");
    create("late");
    createChild("running", "late");
    complete("early");
    tick();
    complete("late");
    Instant end = Objects.requireNonNull(admin().instanceInfo("late").completedAt());
    assertThat(orphans(OrphanFilter.ALL.withKinds(OrphanKind.PARENT_GONE)))
        .containsOnlyKeys("lost");
    assertThat(orphans(OrphanFilter.ALL.withStatuses(ExecutionStatus.COMPLETED)))
        .containsOnlyKeys("done");
    assertThat(orphans(OrphanFilter.ALL.parentEndedBefore(end))).containsOnlyKeys("lost", "done");
    assertThat(orphans(OrphanFilter.ALL.parentEndedBefore(end.plusMillis(1)))).hasSize(3);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-30 whether a parent moved on long ago, the execution that asked tells")
  void movedOnBefore() {
    create("eternal");
    createChild("old", "eternal");
    continueAsNew("eternal", 2);
    Instant end =
        Objects.requireNonNull(admin().executionInfo(new ExecutionKey("eternal", 1)).completedAt());
    assertThat(orphans(OrphanFilter.ALL.parentEndedBefore(end))).isEmpty();
    assertThat(orphans(OrphanFilter.ALL.parentEndedBefore(end.plusMillis(1)))).hasSize(1);
    admin().pruneExecutions("eternal", PruneOptions.ALL);
    assertThat(orphans(OrphanFilter.ALL.parentEndedBefore(end))).hasSize(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-31 an orphan is deleted with its descendants, although its parent exists")
  void deleted() {
    create("parent");
    createChild("child", "parent");
    createCompletedChild("grandchild", "child");
    complete("child");
    assertThat(delete("child")).isEqualTo(DeleteResult.NONE);
    complete("parent");
    DeleteResult both = new DeleteResult(2, 2, 4, 0);
    assertThat(admin().deleteOrphan("child", OrphanFilter.ALL, true)).isEqualTo(both);
    exists("grandchild");
    assertThat(delete("child")).isEqualTo(both);
    gone("child", "grandchild");
    exists("parent");
    assertThat(delete("child")).isEqualTo(DeleteResult.NONE);
    assertThat(delete("parent")).isEqualTo(DeleteResult.NONE);
    fails(Kind.NOT_FOUND, () -> admin().instanceInfo("child"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-32 an orphan that runs, or has a descendant that does, is not deleted")
  void runningStays() {
    create("parent");
    createChild("running", "parent");
    createChild("child", "parent");
    createChild("grandchild", "child");
    complete("child");
    complete("parent");
    assertThat(delete("running")).isEqualTo(DeleteResult.NONE);
    assertThat(delete("child")).isEqualTo(DeleteResult.NONE);
    complete("grandchild");
    assertThat(delete("child").instancesDeleted()).isEqualTo(2);
    exists("running");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-33 what was found as an orphan is looked at again when it is deleted")
  void lookedAtAgain() {
    createCompletedChild("child", "parent");
    assertThat(orphans(OrphanFilter.ALL)).containsOnlyKeys("child");
    create("parent");
    assertThat(delete("child")).isEqualTo(DeleteResult.NONE);
    exists("child");
    OrphanFilter gone = OrphanFilter.ALL.withKinds(OrphanKind.PARENT_GONE);
    complete("parent");
    assertThat(admin().deleteOrphan("child", gone, false)).isEqualTo(DeleteResult.NONE);
    assertThat(delete("child").instancesDeleted()).isEqualTo(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-34 orphans come in pages without gaps, also while they are deleted")
  void pages() {
    create("parent");
    for (int i = 0; i < 25; i++) {
      createCompletedChild("child" + i, "parent");
      createCompletedChild("lost" + i, "gone" + i % 3);
    }
    complete("parent");
    List<String> seen = new ArrayList<>();
    OrphanPage page = admin().findOrphans(OrphanFilter.ALL, null, 7);
    while (page.next() != null) {
      assertThat(page.rows()).hasSize(7);
      take(page, seen);
      page = admin().findOrphans(OrphanFilter.ALL, page.next(), 7);
    }
    take(page, seen);
    assertThat(seen).hasSize(50).doesNotHaveDuplicates();
    assertThat(admin().listInstances()).containsExactly("parent");
  }

  private void take(OrphanPage page, List<String> seen) {
    for (Orphan orphan : page.rows()) {
      seen.add(orphan.instance().instance());
      assertThat(delete(orphan.instance().instance()).instancesDeleted()).isEqualTo(1);
    }
  }

  private DeleteResult delete(String instance) {
    return admin().deleteOrphan(instance, OrphanFilter.ALL, false);
  }

  private Map<String, OrphanKind> orphans(OrphanFilter filter) {
    OrphanPage page = admin().findOrphans(filter, null, LIMIT);
    assertThat(page.next()).isNull();
    Map<String, OrphanKind> kinds = new HashMap<>();
    for (Orphan orphan : page.rows()) {
      assertThat(orphan.instance()).isEqualTo(admin().instanceInfo(orphan.instance().instance()));
      kinds.put(orphan.instance().instance(), orphan.kind());
    }
    return kinds;
  }

  private void child(String child, ParentLink link) {
    enqueue(Items.start(child));
    ack(
        fetched(child),
        TurnCommit.events(
            1, List.of(Events.started(new ExecutionKey(child, 1))), identity().withParent(link)));
  }
}
