package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.TextLimit;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  @Test
  @Needs.NewStarts
  @Needs.TwoHandles
  @DisplayName("TCK-INST-60 of 16 starts that must be new, by two handles, one is accepted")
  void oneOfMany() {
    Provider other = secondHandle();
    for (int round = 0; round < fixture().rounds(); round++) {
      String id = "x" + round;
      List<Callable<String>> calls = new ArrayList<>();
      for (int caller = 0; caller < 16; caller++) {
        Provider handle = caller % 2 == 0 ? provider : other;
        String input = "caller-" + caller;
        calls.add(() -> {
          handle.startNew(startWith(id, input), Duration.ZERO);
          return input;
        });
      }
      List<Race.Outcome<String>> outcomes = race().together(calls);

      assertThat(outcomes).filteredOn(Race.Outcome::succeeded).hasSize(1);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome.failedWith(Kind.ALREADY_EXISTS))
          .hasSize(15);
      String accepted =
          outcomes.stream().filter(Race.Outcome::succeeded).findFirst().orElseThrow().get();
      LockedOrchestration locked = fetched(id);
      assertThat(messages(locked)).containsExactly(startWith(id, accepted));
      drain(locked);
    }
  }

  @Test
  @Needs.NewStarts
  @DisplayName("TCK-INST-60 a queued and a delayed start count as instances, other messages do not")
  void whatCountsAsInstance() {
    start("queued");
    enqueue(Items.start("delayed"), Duration.ofHours(1));
    poke("poked");

    refusesNew("queued");
    refusesNew("delayed");
    provider.startNew(Items.start("poked"), Duration.ZERO);

    drain(fetched("queued"));
    assertThat(messages(fetched("poked")))
        .containsExactly(Items.raised("poked", "poke"), Items.start("poked"));
    nothingToFetch();
  }

  @Test
  @Needs.NewStarts
  @DisplayName("TCK-INST-60 a running and an ended instance refuse a start that must be new")
  void existingRefuses() {
    create("running");
    refusesNew("running");
    create("ended");
    complete("ended");
    refusesNew("ended");

    nothingToFetch();
  }

  @Test
  @Needs.NewStarts
  @DisplayName("TCK-INST-60 a start that must be new may be delayed, and then refuses the next")
  void newAndDelayed() {
    provider.startNew(Items.start("x"), Duration.ofSeconds(5));
    refusesNew("x");
    nothingToFetch();

    advance(Duration.ofSeconds(6));

    assertThat(messages(fetched("x"))).containsExactly(Items.start("x"));
  }

  @Test
  @Needs.NewStarts
  @Needs.Faults
  @DisplayName("TCK-INST-60 a start whose answer was lost is not told that its id is taken")
  void lostAnswer() {
    fixture().fault(FaultPoint.AFTER_COMMIT, FaultKind.CONNECTION_LOST);
    Optional<ProviderException> failure = tryNew("x");
    fixture().heal();

    failure.ifPresent(e -> {
      assertThat(e.kind()).isNotEqualTo(Kind.ALREADY_EXISTS);
      assertThat(e.retryable()).isTrue();
    });
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).hasSize(1);
    refusesNew("x");
  }

  private Optional<ProviderException> tryNew(String instance) {
    try {
      provider.startNew(Items.start(instance), Duration.ZERO);
      return Optional.empty();
    } catch (ProviderException e) {
      return Optional.of(e);
    }
  }

  private void refusesNew(String instance) {
    ProviderException refused =
        failure(() -> provider.startNew(startWith(instance, "late"), Duration.ZERO));
    assertThat(refused.kind()).isEqualTo(Kind.ALREADY_EXISTS);
    assertThat(refused.retryable()).isFalse();
    assertThat(refused).hasMessageContaining("'" + instance + "'");
  }

  private static WorkItem.StartOrchestration startWith(String instance, String input) {
    return WorkItem.StartOrchestration.byClient(
        instance, Items.ORCHESTRATION, input, Items.VERSION, null);
  }

  /** One text of a message or activity. */
  private record Place(TextLimit limit, Function<String, WorkItem> item) {}

  private static List<Place> places() {
    return List.of(
        new Place(TextLimit.INSTANCE_ID, Items::start),
        new Place(TextLimit.INSTANCE_ID, id -> Items.raised(id, "data")),
        new Place(TextLimit.INSTANCE_ID, id -> Items.message(id, "data")),
        new Place(TextLimit.INSTANCE_ID, Items::cancel),
        new Place(TextLimit.INSTANCE_ID, id -> Items.child("x", id)),
        new Place(TextLimit.INSTANCE_ID, id -> Items.activity(id, 2)),
        new Place(
            TextLimit.ORCHESTRATION_NAME,
            name -> new WorkItem.StartOrchestration("x", name, "", Items.VERSION, null)),
        new Place(TextLimit.VERSION, version -> Items.start("x", version)),
        new Place(TextLimit.EVENT_NAME, name -> new WorkItem.ExternalRaised("x", name, "")),
        new Place(TextLimit.QUEUE_NAME, name -> new WorkItem.QueueMessage("x", name, "")),
        new Place(TextLimit.ACTIVITY_NAME, name -> activity(name, ActivityRouting.ANYWHERE)),
        new Place(TextLimit.TAG, tag -> activity("a", new ActivityRouting(null, tag))),
        new Place(TextLimit.SESSION_ID, id -> activity("a", new ActivityRouting(id, null))));
  }

  private static WorkItem activity(String name, ActivityRouting routing) {
    return new WorkItem.ActivityExecute(
        new ActivityKey("x", 1, 2),
        name,
        "",
        routing,
        new ActivityOrigin(Items.ORCHESTRATION, Items.VERSION));
  }

  @Test
  @DisplayName("TCK-INST-61 ids and names within their limits are taken, others refused alike")
  void limits() {
    create("locked");
    poke("locked");
    String token = fetched("locked").lockToken();
    for (Place place : places()) {
      String longest = "é".repeat(place.limit().bytes() / 2);
      send(place.item().apply(longest));
      refused(place, token, longest + "x", "has " + (place.limit().bytes() + 1) + " bytes");
      refused(place, token, "", "has 0 bytes");
      refused(place, token, "half\uD83D", "is not well-formed Unicode at character 5");
      refused(place, token, "\uDE00half", "is not well-formed Unicode at character 1");
    }
    provider.commitTurn(new TurnSource.Fetched(token), TurnCommit.nothing(1), WorkClaim.NONE);
  }

  private void send(WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute) {
      provider.enqueueForWorker(item);
    } else {
      enqueue(item);
    }
  }

  private void refused(Place place, String token, String text, String complaint) {
    WorkItem item = place.item().apply(text);
    TurnCommit commit =
        item instanceof WorkItem.ActivityExecute
            ? TurnCommit.nothing(1).withWorkerItems(List.of(item))
            : TurnCommit.nothing(1).withOrchestratorItems(List.of(item));
    refused(complaint, () -> send(item));
    refused(
        complaint,
        () -> provider.commitTurn(new TurnSource.Fetched(token), commit, WorkClaim.NONE));
  }

  private static void refused(String complaint, ThrowingCallable call) {
    ProviderException refusal = failure(call);
    assertThat(refusal.kind()).isEqualTo(Kind.INVALID_INPUT);
    assertThat(refusal).hasMessageContaining(complaint);
  }

  @Test
  @DisplayName("TCK-INST-61 keys of values within their limit are taken, others refused alike")
  void keys() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    for (String key : List.of("", "k".repeat(1_025), "half\uD83D")) {
      fails(Kind.INVALID_INPUT, () -> ack(locked, next(locked, setKey(key))));
    }
    String longest = "k".repeat(1_024);

    ack(locked, next(locked, setKey(longest)));

    assertThat(provider.kvValue("x", longest)).contains("value");
  }

  private static EventKind setKey(String key) {
    return new EventKind.KeyValueSet(key, "value", Events.STAMP.at());
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
