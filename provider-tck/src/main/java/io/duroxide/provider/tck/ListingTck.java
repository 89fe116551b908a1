package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MGMT: pages of instances, executions and events, and filters. */
public abstract class ListingTck extends LifecycleSteps {
  /** For subclasses. */
  protected ListingTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-26 a row tells everything that is known of its instance")
  void fullRows() {
    Instant before = now();
    create("parent");
    createChild("child", "parent");
    change("child", new EventKind.CustomStatusUpdated("half"));
    tick();
    Instant ended = now();
    complete("child");
    InstanceInfo row = one(InstanceFilter.ids(List.of("child")));
    assertThat(row.current()).isEqualTo(new ExecutionKey("child", 1));
    assertThat(row.orchestration())
        .isEqualTo(new OrchestrationIdentity(Items.ORCHESTRATION, Items.VERSION));
    assertThat(row.status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(row.output()).isEqualTo("done");
    assertThat(row.customStatus()).isEqualTo(new CustomStatus("half", 1));
    assertThat(row.parent()).isEqualTo(new ParentLink("parent", 1, 2));
    assertThat(row.createdAt()).isBetween(before, ended);
    assertThat(row.updatedAt()).isAfterOrEqualTo(ended);
    assertThat(row.completedAt()).isAfterOrEqualTo(ended);
    assertThat(row).isEqualTo(admin().instanceInfo("child"));
    InstanceInfo running = one(InstanceFilter.ids(List.of("parent")));
    assertThat(running.completedAt()).isNull();
    assertThat(running.parent()).isNull();
    assertThat(running.output()).isNull();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-27 filters by status, name, version and id show exactly what passes")
  void identityFilters() {
    named("order-1", "Order", "1.0.0");
    named("order-2", "Order", "2.0.0");
    named("refund-1", "OrderRefund", "1.0.0");
    named("audit-1", "Audit", "1.0.0");
    end("audit-1", ExecutionStatus.COMPLETED);
    end("refund-1", ExecutionStatus.FAILED);
    lists(InstanceFilter.ALL, "order-1", "order-2", "refund-1", "audit-1");
    lists(InstanceFilter.ALL.named("Order"), "order-1", "order-2");
    lists(InstanceFilter.ALL.named("Ord"));
    lists(InstanceFilter.ALL.withNamePrefix("Ord"), "order-1", "order-2", "refund-1");
    lists(InstanceFilter.ALL.named("Order").withVersion("2.0.0"), "order-2");
    lists(InstanceFilter.ALL.withVersion("1.0.0"), "order-1", "refund-1", "audit-1");
    lists(InstanceFilter.ALL.withStatuses(ExecutionStatus.FAILED), "refund-1");
    lists(InstanceFilter.finished(), "refund-1", "audit-1");
    lists(InstanceFilter.running().withNamePrefix("Order"), "order-1", "order-2");
    lists(InstanceFilter.finished().named("Order"));
    lists(InstanceFilter.ALL.withIdPrefix("order-"), "order-1", "order-2");
    lists(InstanceFilter.ALL.withIdPrefix("order-2"), "order-2");
    lists(InstanceFilter.ALL.withIdPrefix("z"));
    lists(InstanceFilter.ids(List.of("order-2", "nobody", "audit-1")), "order-2", "audit-1");
    lists(InstanceFilter.ids(List.of("order-2", "audit-1")).named("Audit"), "audit-1");
    lists(InstanceFilter.ids(List.of()));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-28 prefixes are taken literally, also at the edges of what text can be")
  void literalPrefixes() {
    List<String> hostile =
        List.of("50%", "50_", "a\\b", "\ud7ffx", "\ue000x", "\udbff\udfff1", "na\u00efve");
    hostile.forEach(this::create);
    create("50 percent");
    for (String id : hostile) {
      int last = id.offsetByCodePoints(id.length(), -1);
      lists(InstanceFilter.ALL.withIdPrefix(id), id);
      assertThat(ids(InstanceFilter.ALL.withIdPrefix(id.substring(0, last)))).contains(id);
    }
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-29 filters by parent, by tree and by being a root")
  void lineage() {
    create("root");
    createChild("child-a", "root");
    createChild("child-b", "root");
    createChild("grandchild", "child-a");
    createChild("lost", "never-existed");
    create("other");
    lists(InstanceFilter.ALL.roots(), "root", "lost", "other");
    lists(InstanceFilter.ALL.childrenOf("root"), "child-a", "child-b");
    lists(InstanceFilter.ALL.childrenOf("never-existed"), "lost");
    lists(InstanceFilter.ALL.treeOf("root"), "root", "child-a", "child-b", "grandchild");
    lists(InstanceFilter.ALL.treeOf("child-a"), "child-a", "grandchild");
    lists(InstanceFilter.ALL.treeOf("nobody"));
    lists(InstanceFilter.ids(List.of("grandchild", "other")).treeOf("root"), "grandchild");
    complete("child-b");
    lists(InstanceFilter.running().childrenOf("root"), "child-a");
    lists(InstanceFilter.finished().treeOf("root"), "child-b");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-30 filters by creation and completion: the first instant in, the last out")
  void times() {
    for (String instance : List.of("a", "b", "c", "running")) {
      create(instance);
      tick();
    }
    for (String instance : List.of("c", "a", "b")) {
      complete(instance);
      tick();
    }
    Instant created = admin().instanceInfo("b").createdAt();
    lists(InstanceFilter.ALL.createdFrom(created), "b", "c", "running");
    lists(InstanceFilter.ALL.createdBefore(created), "a");
    lists(InstanceFilter.ALL.createdFrom(created).createdBefore(created.plusMillis(1)), "b");
    Instant ended = Objects.requireNonNull(admin().instanceInfo("a").completedAt());
    lists(InstanceFilter.ALL.completedFrom(ended), "a", "b");
    lists(InstanceFilter.ALL.completedBefore(ended), "c");
    lists(InstanceFilter.ALL.completedBefore(now()), "a", "b", "c");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-31 filtered pages hold what was asked for, newest first, without gaps")
  void filteredPages() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String name = List.of("OrderA", "OrderB", "Other").get(i % 3);
      named("x" + i, name, "1.0.0");
      if (i % 4 == 0) {
        end("x" + i, ExecutionStatus.COMPLETED);
      } else if (i % 3 != 2) {
        expected.addFirst("x" + i);
      }
      tick();
    }
    InstanceQuery query =
        InstanceQuery.firstPage(InstanceFilter.running().withNamePrefix("Order"), 7);
    List<String> seen = new ArrayList<>();
    InstancePage page = admin().listInstances(query);
    while (page.next() != null) {
      assertThat(page.rows()).hasSize(7);
      page.rows().forEach(row -> seen.add(row.instance()));
      page = admin().listInstances(query.after(page.next()));
    }
    page.rows().forEach(row -> seen.add(row.instance()));
    assertThat(seen).isEqualTo(expected);
    fails(Kind.INVALID_INPUT, () -> admin().listInstances(query.after("nonsense")));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-32 executions come in pages of full rows")
  void executionPages() {
    create("x");
    continueUpTo("x", 5);
    List<ExecutionInfo> first = admin().listExecutions("x", 0, 2);
    assertThat(first).extracting(ExecutionInfo::executionId).containsExactly(1L, 2L);
    assertThat(first.getFirst()).isEqualTo(admin().executionInfo(new ExecutionKey("x", 1)));
    assertThat(admin().listExecutions("x", 2, 10))
        .extracting(ExecutionInfo::executionId)
        .containsExactly(3L, 4L, 5L);
    assertThat(admin().listExecutions("x", 5, 10)).isEmpty();
    assertThat(admin().listExecutions("nobody", 0, 10)).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-33 events come in pages")
  void eventPages() {
    create("x");
    ExecutionKey execution = new ExecutionKey("x", 1);
    provider.appendWithExecution(execution, Events.scheduled(execution, 2, 9));
    assertThat(admin().readHistory(execution, 0, 3))
        .extracting(Event::id)
        .containsExactly(1L, 2L, 3L);
    assertThat(admin().readHistory(execution, 3, 100))
        .isEqualTo(provider.readWithExecution(execution).subList(3, 9));
    assertThat(admin().readHistory(execution, 9, 3)).isEmpty();
    assertThat(admin().readHistory(new ExecutionKey("x", 2), 0, 3)).isEmpty();
  }

  private void named(String instance, String name, String version) {
    start(instance);
    ack(
        fetched(instance),
        TurnCommit.events(
            1,
            List.of(Events.started(new ExecutionKey(instance, 1))),
            ExecutionMetadata.started(name, version)));
  }

  /** Ends an instance that has a name of its own. */
  private void end(String instance, ExecutionStatus status) {
    turn(
        instance,
        new EventKind.OrchestrationCompleted("done"),
        ExecutionMetadata.NONE.withStatus(status, "done"));
  }

  private InstanceInfo one(InstanceFilter filter) {
    List<InstanceInfo> rows = admin().listInstances(InstanceQuery.firstPage(filter, 10)).rows();
    assertThat(rows).hasSize(1);
    return rows.getFirst();
  }

  private List<String> ids(InstanceFilter filter) {
    return admin().listInstances(InstanceQuery.firstPage(filter, 100)).rows().stream()
        .map(InstanceInfo::instance)
        .toList();
  }

  private void lists(InstanceFilter filter, String... expected) {
    assertThat(ids(filter))
        .as(filter.toString())
        .containsExactlyInAnyOrderElementsOf(Arrays.asList(expected));
  }
}
