package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The vocabulary of the catalog: every category is written with it. */
public abstract class ProviderTck {
  /** The lock of a fetch that is not about expiry. */
  static final Duration LOCK = Duration.ofSeconds(30);

  /** What a test lets pass beyond an expiry before it looks. */
  static final Duration SLACK = Duration.ofMillis(100);

  static final String NO_TOKEN = "no-such-token";

  @RegisterExtension static final FeatureCondition FEATURES = new FeatureCondition();

  /** The handle under test. */
  Provider provider;

  private @Nullable ProviderFixture fixture;
  private @Nullable Race race;
  private TestReporter reporter;
  private final List<Provider> otherHandles = new ArrayList<>();

  /** For subclasses. */
  protected ProviderTck() {}

  /** A fixture for one test. */
  protected abstract ProviderFixture newFixture();

  @BeforeEach
  final void openStore(TestReporter testReporter) {
    reporter = testReporter;
    provider = fixture().createProvider();
  }

  @AfterEach
  final void closeStore() {
    if (race != null) {
      race.close();
    }
    otherHandles.forEach(Provider::close);
    provider.close();
    fixture().close();
  }

  /** The fixture of this test. */
  final ProviderFixture fixture() {
    ProviderFixture made = fixture;
    if (made == null) {
      made = newFixture();
      fixture = made;
    }
    return made;
  }

  final ProviderAdmin admin() {
    return provider.management().orElseThrow();
  }

  /** Another handle on the store; closed with the test. */
  final Provider secondHandle() {
    Provider handle = fixture().secondHandle(provider);
    otherHandles.add(handle);
    return handle;
  }

  final void reopen() {
    provider = fixture().reopen(provider);
  }

  /** Where concurrent calls run; the seed of their timing is reported. */
  final Race race() {
    Race made = race;
    if (made == null) {
      long seed = fixture().seed();
      report("seed", Long.toString(seed));
      made = new Race(seed);
      race = made;
    }
    return made;
  }

  /** This many of the catalog's {@code full} number, as many as the fixture wants to wait for. */
  final int scaled(int full) {
    return (int) Math.ceil(full * fixture().loadShare());
  }

  /** Publishes a figure of this test. */
  final void report(String name, String value) {
    reporter.publishEntry(name, value);
  }

  // Time

  final void advance(Duration duration) {
    fixture().advance(duration);
  }

  final void advance(long millis) {
    advance(Duration.ofMillis(millis));
  }

  /** T. */
  final Duration timeout() {
    return fixture().lockTimeout();
  }

  /** A fraction or multiple of T. */
  final Duration timeout(double factor) {
    return Duration.ofMillis(Math.round(timeout().toMillis() * factor));
  }

  /** Wait T+. */
  final void letLocksExpire() {
    advance(timeout().plus(SLACK));
  }

  // Messages

  final void enqueue(WorkItem item) {
    provider.enqueueForOrchestrator(item, Duration.ZERO);
  }

  final void enqueue(WorkItem item, Duration delay) {
    provider.enqueueForOrchestrator(item, delay);
  }

  final void start(String instance) {
    enqueue(Items.start(instance));
  }

  final void poke(String instance) {
    enqueue(Items.raised(instance, "poke"));
  }

  /** act(i) of the catalog: queues an activity of execution 1. */
  final void act(String instance, long id) {
    provider.enqueueForWorker(Items.activity(instance, id));
  }

  // Fetching

  final Optional<LockedOrchestration> fetch() {
    return fetch(LOCK);
  }

  final Optional<LockedOrchestration> fetch(Duration lock) {
    return fetch(provider, OrchestrationFetch.of(lock, Duration.ZERO));
  }

  static Optional<LockedOrchestration> fetch(Provider handle, OrchestrationFetch request) {
    try {
      return handle.fetchOrchestrationItem(request);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  final LockedOrchestration fetched() {
    return fetched(LOCK);
  }

  final LockedOrchestration fetched(Duration lock) {
    return present(fetch(lock));
  }

  /** Fetches, and checks whose turn it is. */
  final LockedOrchestration fetched(String instance) {
    LockedOrchestration locked = fetched();
    assertThat(locked.item().instance()).isEqualTo(instance);
    return locked;
  }

  final void nothingToFetch() {
    assertThat(fetch()).as("orchestration fetch").isEmpty();
  }

  final Optional<LockedWork> wfetch() {
    return wfetch(LOCK);
  }

  final Optional<LockedWork> wfetch(Duration lock) {
    return wfetch(provider, WorkFetch.of(lock, Duration.ZERO));
  }

  static Optional<LockedWork> wfetch(Provider handle, WorkFetch request) {
    try {
      return handle.fetchWorkItem(request);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  final LockedWork work() {
    return work(LOCK);
  }

  final LockedWork work(Duration lock) {
    return present(wfetch(lock));
  }

  /** Fetches an activity, and checks which. */
  final LockedWork work(long id) {
    LockedWork locked = work();
    assertThat(locked.key().activityId()).isEqualTo(id);
    return locked;
  }

  final void noWork() {
    assertThat(wfetch()).as("worker fetch").isEmpty();
  }

  static <T> T present(Optional<T> result) {
    assertThat(result).isPresent();
    return result.orElseThrow();
  }

  static List<WorkItem> messages(LockedOrchestration locked) {
    return locked.item().messages().items();
  }

  static List<Event> history(LockedOrchestration locked) {
    return locked.item().history().events();
  }

  /** The values an execution begins with; what was left out is a failure. */
  static Map<String, KvEntry> values(LockedOrchestration locked) {
    assertThat(locked.item().history()).as("fetched whole").isInstanceOf(StoredHistory.Whole.class);
    return ((StoredHistory.Whole) locked.item().history()).values();
  }

  static ExecutionKey first(String instance) {
    return new ExecutionKey(instance, ExecutionKey.FIRST);
  }

  // Turns

  final void ack(LockedOrchestration locked, TurnCommit commit) {
    provider.commitTurn(new TurnSource.Fetched(locked.lockToken()), commit, WorkClaim.NONE);
  }

  /** Consumes the batch and changes nothing else. */
  final void drain(LockedOrchestration locked) {
    ack(locked, TurnCommit.nothing(locked.item().execution().executionId()));
  }

  /** The commit of a first turn: event 1, name and version. */
  static TurnCommit firstTurn(String instance) {
    return firstTurn(first(instance));
  }

  static TurnCommit firstTurn(ExecutionKey execution) {
    return TurnCommit.events(
        execution.executionId(), List.of(Events.started(execution)), identity());
  }

  /** The metadata of every good turn. */
  static ExecutionMetadata identity() {
    return ExecutionMetadata.started(Items.ORCHESTRATION, Items.VERSION);
  }

  /** A commit that appends one event of this kind to the fetched history. */
  static TurnCommit next(LockedOrchestration locked, EventKind kind) {
    return next(locked, kind, ExecutionMetadata.NONE);
  }

  static TurnCommit next(LockedOrchestration locked, EventKind kind, ExecutionMetadata metadata) {
    ExecutionKey execution = locked.item().execution();
    Event event = Events.of(execution, nextId(locked), kind);
    return TurnCommit.events(execution.executionId(), List.of(event), metadata);
  }

  /** The event id after the fetched history. */
  static long nextId(LockedOrchestration locked) {
    List<Event> history = history(locked);
    return history.isEmpty() ? 1 : history.getLast().id() + 1;
  }

  final void create(String instance) {
    start(instance);
    ack(fetched(instance), firstTurn(instance));
  }

  /** Creates an instance whose first turn also queues these. */
  final void createWith(String instance, List<? extends WorkItem> activities) {
    start(instance);
    ack(fetched(instance), firstTurn(instance).withWorkerItems(activities));
  }

  /** An instance that waits for activity 2; the commit that asked for it. */
  final CachedHistory.Tip waiting(String instance) {
    start(instance);
    LockedOrchestration locked = fetched(instance);
    ack(
        locked,
        TurnCommit.events(
                1,
                List.of(Events.started(first(instance)), Events.scheduled(first(instance), 2)),
                identity())
            .withWorkerItems(List.of(Items.activity(instance, 2))));
    return new CachedHistory.Tip(2, locked.lockToken());
  }

  /** Pokes, fetches and commits one event of this kind. */
  final void turn(String instance, EventKind kind, ExecutionMetadata metadata) {
    poke(instance);
    LockedOrchestration locked = fetched(instance);
    ack(locked, next(locked, kind, metadata));
  }

  final void complete(String instance) {
    turn(
        instance,
        new EventKind.OrchestrationCompleted("done"),
        identity().withStatus(ExecutionStatus.COMPLETED, "done"));
  }

  final void fail(String instance) {
    turn(
        instance,
        new EventKind.OrchestrationFailed(Items.BOOM),
        identity().withStatus(ExecutionStatus.FAILED, "boom"));
  }

  /** The first half of CAN: the instance is then between two executions. */
  final void endForContinue(String instance) {
    turn(
        instance,
        new EventKind.OrchestrationContinuedAsNew("{}"),
        identity().withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"));
  }

  /** CAN(x, n) of the catalog. */
  final void continueAsNew(String instance, long execution) {
    endForContinue(instance);
    enqueue(Items.continueAsNew(instance));
    ack(fetched(instance), firstTurn(new ExecutionKey(instance, execution)));
  }

  // Verdicts

  /** LOST of the catalog. */
  static void lost(ThrowingCallable call) {
    fails(ProviderException.Kind.LOCK_LOST, call);
  }

  static void fails(ProviderException.Kind kind, ThrowingCallable call) {
    ProviderException failure = failure(call);
    assertThat(failure.kind()).isEqualTo(kind);
    assertThat(failure.retryable()).isEqualTo(kind.retryable());
  }

  static ProviderException failure(ThrowingCallable call) {
    ProviderException failure = catchThrowableOfType(ProviderException.class, call);
    assertThat(failure).as("failure of the operation").isNotNull();
    return failure;
  }

  private static IllegalStateException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted while fetching", cause);
  }
}
