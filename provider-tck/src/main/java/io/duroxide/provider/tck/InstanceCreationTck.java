package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ParentLink;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** INST: an instance begins with an ack that names it (7.2, 7.3). */
public abstract class InstanceCreationTck extends ProviderTck {
  private static final Duration SECONDS = Duration.ofSeconds(10);

  /** For subclasses. */
  protected InstanceCreationTck() {}

  @Test
  @DisplayName("TCK-INST-01 the first ack creates the instance with its name and version")
  void created() {
    start("x");
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().orchestrationName()).isEqualTo(Items.ORCHESTRATION);
    assertThat(locked.item().execution()).isEqualTo(first("x"));
    assertThat(history(locked)).isEmpty();

    ack(locked, firstTurn("x", identity("2.0.0")));

    poke("x");
    LockedOrchestration next = fetched("x");
    assertThat(next.item().orchestrationName()).isEqualTo(Items.ORCHESTRATION);
    assertThat(next.item().version()).isEqualTo("2.0.0");
    assertThat(history(next)).hasSize(1);
  }

  @Test
  @DisplayName("TCK-INST-02 a start is fetchable although no instance exists")
  void notByEnqueue() {
    start("x");

    assertThat(provider.status("x")).isEmpty();
    fetched("x");
  }

  @Test
  @DisplayName("TCK-INST-03 a start without a version gets it from the ack")
  void withoutVersion() {
    enqueue(Items.start("x", null));

    ack(fetched("x"), firstTurn("x", identity("3.0.0")));

    poke("x");
    assertThat(fetched("x").item().version()).isEqualTo("3.0.0");
  }

  @Test
  @DisplayName("TCK-INST-04 a child is created by its own first ack")
  void child() {
    start("parent");
    ack(
        fetched("parent"),
        firstTurn("parent").withOrchestratorItems(List.of(Items.start("child", null))));
    assertThat(provider.status("child")).isEmpty();

    ack(fetched("child"), firstTurn("child", identity("1.5.0")));

    assertThat(provider.status("child")).isPresent();
    poke("child");
    assertThat(fetched("child").item().version()).isEqualTo("1.5.0");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-INST-05 a queued start is no instance")
  void queuedStartIsNoInstance() {
    start("x");

    fails(Kind.NOT_FOUND, () -> admin().instanceInfo("x"));
    assertThat(admin().listInstances()).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-INST-06 a name without a version creates no instance")
  void nameAlone() {
    start("x");
    ack(fetched("x"), firstTurn("x", metadata(Items.ORCHESTRATION, null, null)));
    fails(Kind.NOT_FOUND, () -> admin().instanceInfo("x"));
    assertThat(admin().listInstances()).isEmpty();

    poke("x");
    ack(fetched("x"), TurnCommit.events(1, List.of(), identity()));

    assertThat(admin().instanceInfo("x").orchestration())
        .isEqualTo(new OrchestrationIdentity(Items.ORCHESTRATION, Items.VERSION));
    assertThat(admin().listInstances()).containsExactly("x");
  }

  @Test
  @DisplayName("TCK-INST-07 a later ack overwrites name and version")
  void overwritten() {
    create("p");
    enqueue(Items.child("x", "p"));
    ack(fetched("x"), firstTurn("x", identity().withParent(new ParentLink("p", 1, 2))));
    poke("x");

    ack(fetched("x"), TurnCommit.events(1, List.of(), metadata("Renamed", "2.0.0", null)));

    poke("x");
    OrchestrationItem item = fetched("x").item();
    assertThat(item.orchestrationName()).isEqualTo("Renamed");
    assertThat(item.version()).isEqualTo("2.0.0");
    provider.management().ifPresent(admin -> assertThat(admin.parentId("x")).contains("p"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-INST-08 the parent given at creation stays")
  void firstParentStays() {
    create("p1");
    create("p2");
    enqueue(Items.child("x", "p1"));
    ack(fetched("x"), firstTurn("x", identity().withParent(new ParentLink("p1", 1, 2))));
    poke("x");

    ack(
        fetched("x"),
        TurnCommit.events(1, List.of(), metadata("Renamed", "2.0.0", new ParentLink("p2", 1, 2))));

    assertThat(admin().instanceInfo("x").parentInstance()).isEqualTo("p1");
    assertThat(admin().parentId("x")).contains("p1");
    assertThat(admin().listChildren("p2")).isEmpty();
  }

  @Test
  @DisplayName("TCK-INST-09 a history without metadata still gives a later fetch its name")
  void nameFromHistory() {
    start("x");
    ack(fetched("x"), firstTurn("x", ExecutionMetadata.NONE));

    poke("x");

    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().orchestrationName()).isEqualTo(Items.ORCHESTRATION);
    assertThat(locked.item().version()).isEqualTo(Items.VERSION);
    assertThat(locked.item().execution()).isEqualTo(first("x"));
    assertThat(history(locked)).containsExactly(Events.started(first("x")));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-INST-10 times are those of the store, and every ack moves updatedAt")
  void times() {
    Instant before = provider.now();
    create("x");
    InstanceInfo created = admin().instanceInfo("x");
    assertThat(created.createdAt()).isBetween(before.minus(SECONDS), before.plus(SECONDS));
    assertThat(created.updatedAt()).isBetween(before.minus(SECONDS), before.plus(SECONDS));
    assertThat(admin().executionInfo(first("x")).startedAt())
        .isBetween(before.minus(SECONDS), before.plus(SECONDS));

    advance(10);
    poke("x");
    drain(fetched("x"));

    InstanceInfo updated = admin().instanceInfo("x");
    assertThat(updated.updatedAt()).isAfter(created.updatedAt());
    assertThat(updated.createdAt()).isEqualTo(created.createdAt());
  }

  @Test
  @DisplayName("TCK-INST-11 a provider has a name and a version")
  void nameAndVersion() {
    assertThat(provider.name()).isNotEmpty();
    assertThat(provider.version()).isNotEmpty();
  }

  private static ExecutionMetadata identity(String version) {
    return ExecutionMetadata.started(Items.ORCHESTRATION, version);
  }

  private static ExecutionMetadata metadata(
      String name, @Nullable String version, @Nullable ParentLink parent) {
    return new ExecutionMetadata(null, null, name, version, parent, null, null);
  }

  private static TurnCommit firstTurn(String instance, ExecutionMetadata metadata) {
    return TurnCommit.events(1, List.of(Events.started(first(instance))), metadata);
  }
}
