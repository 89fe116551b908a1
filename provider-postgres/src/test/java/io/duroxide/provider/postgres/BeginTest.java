package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Instances that are stored with their first turn")
class BeginTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final String VERSION = "1.0.0";

  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final FaultySource source = new FaultySource(premises.pool());
  private final PostgresProvider store =
      PostgresProvider.open(source.asSource(), premises.options());

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  private static WorkItem.StartOrchestration start(String instance) {
    return new WorkItem.StartOrchestration(instance, "Order", "{}", VERSION, null);
  }

  private static Event event(String instance, long id, EventKind kind) {
    EventStamp stamp = new EventStamp(Instant.EPOCH, VERSION);
    return new Event(new ExecutionKey(instance, 1), id, null, stamp, kind);
  }

  private static WorkItem activity(String instance, long id) {
    return new WorkItem.ActivityExecute(
        new ActivityKey(instance, 1, id),
        "Charge",
        "{}",
        ActivityRouting.ANYWHERE,
        new ActivityOrigin("Order", VERSION));
  }

  /** Asks for the activities from 2 to {@code last}; those with one of them go a shorter way. */
  private static TurnCommit turn(String instance, ExecutionMetadata metadata, long last) {
    List<Event> events = new ArrayList<>();
    List<WorkItem> activities = new ArrayList<>();
    events.add(
        event(
            instance,
            1,
            new EventKind.OrchestrationStarted("Order", VERSION, "{}", null, Inheritance.NOTHING)));
    for (long id = 2; id <= last; id++) {
      events.add(event(instance, id, new EventKind.ActivityScheduled("Charge", "{}", null, null)));
      activities.add(activity(instance, id));
    }
    return TurnCommit.events(1, events, metadata).withWorkerItems(activities);
  }

  private static TurnCommit turn(String instance) {
    return turn(instance, STARTED, 3);
  }

  private static TurnCommit smallTurn(String instance) {
    return turn(instance, STARTED, 2);
  }

  /** The caller runs activity 2. */
  private Optional<CommittedTurn> begin(String instance, TurnCommit turn) {
    return store.commitTurn(
        new TurnSource.NewInstance(start(instance)), turn, new WorkClaim(LOCK, Set.of(2L)));
  }

  private Optional<CommittedTurn> begin(String instance) {
    return begin(instance, turn(instance));
  }

  @Test
  @DisplayName("are stored together with others, one of each id")
  void several() throws InterruptedException {
    List<CompletableFuture<Optional<CommittedTurn>>> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        String instance = "x" + i % 100;
        answers.add(CompletableFuture.supplyAsync(() -> begin(instance), callers));
      }
    }
    List<CommittedTurn> begun = answers.stream().flatMap(answer -> answer.join().stream()).toList();

    assertThat(begun).hasSize(100);
    List<LockedWork> claimed = begun.stream().flatMap(step -> step.claimed().stream()).toList();
    assertThat(claimed).extracting(LockedWork::key).doesNotHaveDuplicates().hasSize(100);
    assertThat(surgery.number("SELECT count(*) FROM @.history")).isEqualTo(300);
    for (LockedWork work : claimed) {
      assertThat(store.status(work.key().instance()).orElseThrow().status())
          .isEqualTo(ExecutionStatus.RUNNING);
      assertThat(store.read(work.key().instance())).hasSize(3);
      store.ackWorkItem(work.lockToken(), null);
    }
    assertThat(store.fetchWorkItems(WorkFetch.of(LOCK, Duration.ZERO), 200))
        .extracting(work -> work.key().activityId())
        .hasSize(100)
        .containsOnly(3L);
  }

  @Test
  @DisplayName("go on with the step that their activity causes")
  void step() {
    CommittedTurn begun = begin("x").orElseThrow();
    TurnCommit next =
        TurnCommit.events(
            1,
            List.of(event("x", 4, new EventKind.OrchestrationCompleted("1"))),
            ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "1"));
    TurnSource step =
        new TurnSource.AfterActivity(
            begun.claimed().getFirst().lockToken(),
            new ExecutionKey("x", 1),
            new CachedHistory.Tip(3, begun.commitToken()));

    assertThat(store.commitTurn(step, next, WorkClaim.NONE)).isPresent();
    assertThat(store.status("x").orElseThrow().status()).isEqualTo(ExecutionStatus.COMPLETED);
  }

  @Test
  @DisplayName("are stored once, whatever happens to the connection")
  void faults() {
    source.arm(FaultPoint.AFTER_COMMIT, FaultKind.CONNECTION_LOST);
    CommittedTurn lost = begin("lost").orElseThrow();
    source.arm(FaultPoint.AFTER_COMMIT, FaultKind.CONNECTION_LOST);
    CommittedTurn small = begin("small", smallTurn("small")).orElseThrow();
    source.arm(FaultPoint.BEFORE, FaultKind.DEADLOCK);
    assertThat(begin("struck")).isPresent();

    assertThat(surgery.number("SELECT count(*) FROM @.history")).isEqualTo(8);
    store.ackWorkItem(lost.claimed().getFirst().lockToken(), null);
    store.ackWorkItem(small.claimed().getFirst().lockToken(), null);
  }

  private static final String ROWS =
      """
      SELECT concat_ws(E'\\n',
        to_jsonb(i) - '{key, id, commit_token}'::text[] || jsonb_build_object(
          'created_at', i.created_at > 0, 'updated_at', i.updated_at = i.created_at,
          'completed_at', i.completed_at = i.created_at),
        to_jsonb(e) - '{instance}'::text[] || jsonb_build_object(
          'started_at', e.started_at = i.created_at, 'completed_at', e.completed_at = i.created_at),
        (SELECT string_agg(replace(h.event || h.data, i.id, '?'), E'\\n' ORDER BY h.event)
         FROM @.history h WHERE h.instance = i.key AND h.execution = e.id),
        (SELECT string_agg(replace(
           (to_jsonb(w) - '{seq, instance, token, wake_at}'::text[] || jsonb_build_object(
             'token', w.token IS NOT NULL, 'wake_at', w.wake_at - i.created_at))::text,
           i.id, '?'), E'\\n' ORDER BY w.seq)
         FROM @.work w WHERE w.instance = i.key),
        (SELECT count(*) FROM @.message m WHERE m.instance = i.key))
      FROM @.instance i JOIN @.execution e ON e.instance = i.key WHERE i.id = ?
      """;

  private static final ExecutionMetadata STARTED = ExecutionMetadata.started("Order", VERSION);
  private static final ExecutionMetadata PINNED =
      STARTED.withPinnedVersion(Semver.of(1, 2, 3)).withCarryForwardCount(2);

  /** What a first turn may say of its instance. */
  static List<ExecutionMetadata> notes() {
    return List.of(
        STARTED,
        PINNED,
        STARTED.withParent(new ParentLink("above", 4, 5)),
        STARTED.withStatus(ExecutionStatus.RUNNING, null),
        PINNED.withStatus(ExecutionStatus.COMPLETED, "1"));
  }

  @ParameterizedTest
  @MethodSource("notes")
  @DisplayName("look as if they had been queued, fetched and committed")
  void rows(ExecutionMetadata note) throws InterruptedException {
    for (long last = 1; last <= 3; last++) {
      String queued = "queued " + last;
      String direct = "direct " + last;
      store.enqueueForOrchestrator(start(queued), Duration.ZERO);
      String lock =
          store
              .fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO))
              .orElseThrow()
              .lockToken();
      store.commitTurn(
          new TurnSource.Fetched(lock), turn(queued, note, last), new WorkClaim(LOCK, Set.of(2L)));

      assertThat(begin(direct, turn(direct, note, last))).isPresent();
      assertThat(surgery.text(ROWS, direct))
          .isEqualTo(surgery.text(ROWS, queued))
          .contains("OrchestrationStarted", "\"stage\": 2");
    }
  }

  private static final String STORED =
      """
      SELECT concat_ws(' ', (SELECT jsonb_agg(i ORDER BY i.key) FROM @.instance i),
        (SELECT count(*) FROM @.execution), (SELECT count(*) FROM @.history),
        (SELECT count(*) FROM @.work), (SELECT count(*) FROM @.message))
      """;

  @Test
  @DisplayName("are left alone if the store knows their ids")
  void known() {
    assertThat(begin("begun")).isPresent();
    store.enqueueForOrchestrator(start("queued"), Duration.ZERO);
    store.enqueueForOrchestrator(new WorkItem.ExternalRaised("told", "go", "1"), Duration.ZERO);
    store.enqueueForWorker(activity("busy", 2));
    String before = surgery.text(STORED);

    for (String instance : List.of("begun", "queued", "told", "busy")) {
      assertThat(begin(instance)).isEmpty();
      assertThat(begin(instance, smallTurn(instance))).isEmpty();
    }
    assertThat(surgery.text(STORED)).isEqualTo(before);
  }

  @Test
  @DisplayName("are left to the queue if their turns do not say what they are")
  void unnamed() {
    assertThat(begin("x", turn("x", ExecutionMetadata.NONE, 2))).isEmpty();
    assertThat(surgery.number("SELECT count(*) FROM @.instance")).isZero();
  }

  @Test
  @DisplayName("may send messages and ask for activities of others with their first turn")
  void sending() {
    TurnCommit turn =
        turn("x", STARTED, 2)
            .withOrchestratorItems(
                List.of(new WorkItem.TimerFired("x", 1, 2, Instant.EPOCH), start("child")))
            .withWorkerItems(List.of(activity("x", 2), activity("y", 2)));

    assertThat(begin("x", turn)).isPresent();
    assertThat(surgery.number("SELECT count(*) FROM @.message")).isEqualTo(2);
    assertThat(surgery.number("SELECT count(DISTINCT instance) FROM @.work")).isEqualTo(2);
  }

  @Test
  @DisplayName("are refused if no store could keep their events")
  void refused() {
    TurnCommit turn =
        TurnCommit.events(
            1,
            List.of(event("x", 0, new EventKind.OrchestrationCompleted("1"))),
            ExecutionMetadata.started("Order", VERSION));

    assertThatThrownBy(() -> begin("x", turn))
        .isInstanceOfSatisfying(
            ProviderException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProviderException.Kind.INVALID_INPUT));
  }
}
