package io.duroxide.provider.tck;

import io.duroxide.model.ActivityAttempt;
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
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.QueueRoom;
import io.duroxide.provider.Sending;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random arguments of operations, few enough that they meet. */
final class RandomSupply {
  private static final List<String> INSTANCES = List.of("a", "c", "c::1", "c::2");
  private static final List<String> QUEUES = List.of("queue", "box");
  private static final List<String> NAMES = List.of("Order", "Orbit", "Payment");

  private final SplittableRandom random;
  private final InstantSource clock;
  private final boolean hasWindows;

  /**
   * Arguments for a sequence.
   *
   * @param hasWindows whether commits bound what is delivered of mailboxes
   */
  RandomSupply(SplittableRandom random, InstantSource clock, boolean hasWindows) {
    this.random = random;
    this.clock = clock;
    this.hasWindows = hasWindows;
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private boolean rarely() {
    return random.nextInt(6) == 0;
  }

  <T> T filter(List<T> filters) {
    return any(filters);
  }

  String instance() {
    return any(INSTANCES);
  }

  String activityName() {
    return any(List.of("Charge", "Ship"));
  }

  Duration delay() {
    return random.nextInt(3) == 0 ? Duration.ofMillis(random.nextInt(400)) : Duration.ZERO;
  }

  private String text() {
    return any(List.of("", "x", "{\"a\": 1}", "na\u00efve \ud83d\ude80", "nul \u0000 inside"));
  }

  private static @Nullable ParentLink parentOf(String instance) {
    return instance.startsWith("c::") ? new ParentLink("c", 1, 2) : null;
  }

  private Instant soon() {
    return clock.instant().plusMillis(random.nextInt(500) - 150);
  }

  WorkItem message() {
    String instance = instance();
    return switch (random.nextInt(9)) {
      case 0, 1, 2 ->
          new WorkItem.StartOrchestration(
              instance, any(NAMES), text(), rarely() ? null : "1.0.0", parentOf(instance));
      case 3 ->
          new WorkItem.ContinueAsNew(
              instance, any(NAMES), text(), "1.0.0", null, Inheritance.NOTHING, null);
      case 4 -> new WorkItem.ExternalRaised(instance, "event", text());
      case 5 -> new WorkItem.QueueMessage(instance, any(QUEUES), text());
      case 6 -> new WorkItem.CancelInstance(instance, text(), null);
      case 7 -> new WorkItem.TimerFired(instance, 1, 3, soon());
      default ->
          rarely() ? activity() : new WorkItem.ActivityCompleted(instance, 1, 2, text(), attempt());
    };
  }

  /** What a client sends: messages, mostly one, often with a start. */
  Sending sending() {
    String instance = instance();
    List<WorkItem> mail = Stream.generate(() -> mail(instance)).limit(random.nextInt(3)).toList();
    OrphanQueuePolicy orphans = any(List.of(OrphanQueuePolicy.values()));
    if (random.nextInt(3) == 0) {
      return new Sending(instance, null, mail, orphans);
    }
    WorkItem.StartOrchestration start =
        new WorkItem.StartOrchestration(
            instance, any(NAMES), text(), rarely() ? null : "1.0.0", null);
    Sending.Rule rule = rarely() ? any(List.of(Sending.Rule.values())) : Sending.Rule.RESTART;
    return new Sending(instance, new Sending.Opening(start, delay(), rule), mail, orphans);
  }

  private WorkItem mail(String instance) {
    return switch (random.nextInt(4)) {
      case 0 -> new WorkItem.ExternalRaised(instance, "event", text());
      case 1 -> new WorkItem.CancelInstance(instance, text(), null);
      default -> new WorkItem.QueueMessage(instance, any(QUEUES), text());
    };
  }

  /** Some for a mailbox of one instance. */
  List<WorkItem> mail() {
    String instance = instance();
    return Stream.generate(() -> new WorkItem.QueueMessage(instance, any(QUEUES), text()))
        .<WorkItem>map(message -> message)
        .limit(1 + random.nextInt(8))
        .toList();
  }

  /** More for one instance than a batch holds, by number or by size. */
  List<WorkItem> flood() {
    String instance = instance();
    boolean isLarge = random.nextBoolean();
    String data = isLarge ? "x".repeat((int) BatchBound.BYTES / 3) : "x";
    int count = isLarge ? 5 : BatchBound.MESSAGES + 7;
    return Stream.iterate(0, i -> i < count, i -> i + 1)
        .<WorkItem>map(i -> new WorkItem.ExternalRaised(instance, "event", data + i))
        .toList();
  }

  private MailboxRules mailboxes() {
    if (!hasWindows || random.nextInt(3) == 0) {
      return MailboxRules.OPEN;
    }
    MailboxRules rules = random.nextBoolean() ? MailboxRules.FIRST : MailboxRules.ofEach(room());
    return rules.with(any(QUEUES), room());
  }

  private QueueRoom room() {
    return new QueueRoom(any(List.of(0, 0, 1, 2, 5)), any(List.of(10L, 200L, QueueRoom.BYTES)));
  }

  List<WorkItem> messages(int count) {
    return Stream.generate(this::message).limit(count).toList();
  }

  WorkItem activity() {
    return activity(instance(), 1);
  }

  private WorkItem activity(String instance, long execution) {
    ActivityRouting routing =
        new ActivityRouting(
            random.nextInt(3) == 0 ? any(List.of("s1", "s2")) : null,
            random.nextInt(3) == 0 ? any(List.of("gpu", "cpu")) : null);
    return new WorkItem.ActivityExecute(
        activityKey(instance, execution), activityName(), text(), routing, ActivityOrigin.UNKNOWN);
  }

  private ActivityKey activityKey(String instance, long execution) {
    return new ActivityKey(instance, execution, 2 + random.nextInt(3));
  }

  Optional<WorkItem> outcome(ActivityKey key) {
    return switch (random.nextInt(6)) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(new WorkItem.CancelInstance(key.instance(), "wrong", null));
      default ->
          Optional.of(
              new WorkItem.ActivityCompleted(
                  key.instance(), key.executionId(), key.activityId(), text(), attempt()));
    };
  }

  private @Nullable ActivityAttempt attempt() {
    return rarely() ? null : new ActivityAttempt(soon(), text(), 1 + random.nextInt(3));
  }

  /** Mostly the execution that was fetched, sometimes the next or an old one. */
  ExecutionKey executionAfter(ExecutionKey fetched) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> fetched.next();
      case 2 -> new ExecutionKey(fetched.instance(), 1);
      default -> fetched;
    };
  }

  List<Event> events(ExecutionKey execution, long last) {
    List<Event> events = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      long id = random.nextInt(25) == 0 ? random.nextInt(3) : last + 1 + i;
      Instant at = clock.instant().minusMillis(random.nextInt(50));
      events.add(new Event(execution, id, null, new EventStamp(at, "1.0.0"), kind(id)));
    }
    return events;
  }

  private EventKind kind(long id) {
    if (id == 1) {
      return new EventKind.OrchestrationStarted(
          any(NAMES), "1.0.0", text(), null, Inheritance.NOTHING);
    }
    return switch (random.nextInt(7)) {
      case 0, 1, 2 -> new EventKind.KeyValueSet(any(List.of("a", "b", "k")), text(), soon());
      case 3 -> new EventKind.KeyValueCleared(any(List.of("a", "b", "k")));
      case 4 -> new EventKind.KeyValuesCleared();
      case 5 -> new EventKind.CustomStatusUpdated(rarely() ? null : text());
      default -> new EventKind.ActivityScheduled("Charge", text(), null, null);
    };
  }

  TurnCommit commit(ExecutionKey execution, long last) {
    String instance = execution.instance();
    List<WorkItem> activities =
        Stream.generate(() -> activity(rarely() ? instance() : instance, execution.executionId()))
            .limit(random.nextInt(3))
            .toList();
    if (random.nextInt(30) == 0) {
      activities = List.of(new WorkItem.CancelInstance(instance, "no activity", null));
    }
    List<WorkItem> messages = messages(random.nextInt(4) == 0 ? 2 : 0);
    List<ActivityKey> cancelled =
        Stream.generate(() -> activityKey(rarely() ? instance() : instance, 1))
            .limit(random.nextInt(4) == 0 ? 1 : 0)
            .toList();
    List<Event> events = events(execution, last);
    return TurnCommit.events(execution.executionId(), events, metadata(instance))
        .withWorkerItems(activities)
        .withOrchestratorItems(messages)
        .withCancelledActivities(cancelled)
        .withMustBeEmpty(rarely() && !repeatsIds(events) ? List.of("queue") : List.of())
        .withMailboxes(mailboxes())
        .withPrune(rarely() ? prune() : null);
  }

  /** What no store could accept may be refused before anybody looks for messages, or after. */
  private static boolean repeatsIds(List<Event> events) {
    return events.stream().map(Event::id).distinct().count() < events.size();
  }

  private PruneOptions prune() {
    return new PruneOptions(
        random.nextBoolean() ? random.nextInt(3) : null,
        random.nextBoolean() ? clock.instant().minusMillis(100) : null,
        random.nextInt(3));
  }

  private ExecutionMetadata metadata(String instance) {
    ExecutionMetadata metadata =
        rarely()
            ? ExecutionMetadata.NONE
            : ExecutionMetadata.started(any(NAMES), any(List.of("1.0.0", "1.0.0", "2.0.0")));
    metadata = metadata.withParent(parentOf(instance));
    if (random.nextInt(3) == 0) {
      metadata = metadata.withStatus(any(List.of(ExecutionStatus.values())), text());
    }
    if (rarely()) {
      metadata = metadata.withPinnedVersion(Semver.of(1 + random.nextInt(3), 0, 0));
    }
    return rarely() ? metadata.withCarryForwardCount(random.nextInt(3)) : metadata;
  }
}
