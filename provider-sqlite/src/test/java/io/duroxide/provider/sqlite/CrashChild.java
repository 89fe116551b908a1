package io.duroxide.provider.sqlite;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Commits turns as fast as it can until it is killed, and prints a line for each operation that was
 * acknowledged. Every turn of an instance appends three events, sets a value and the custom status
 * to its number, queues one activity and one message.
 */
final class CrashChild {
  static final int EVENTS_PER_TURN = 3;
  private static final int TURNS = 12;
  private static final Duration LOCK = Duration.ofMillis(500);
  private static final Duration POLL = Duration.ofSeconds(5);
  private static final int TURN_THREADS = 4;

  private final SqliteProvider provider;
  private final String name;
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private CrashChild(SqliteProvider provider, String name) {
    this.provider = provider;
    this.name = name;
  }

  /**
   * Commits until it is killed.
   *
   * @param arguments the file, and a name that no earlier child had
   */
  public static void main(String[] arguments) {
    SqliteProvider provider = SqliteProvider.open(Path.of(arguments[0]));
    CrashChild child = new CrashChild(provider, arguments[1]);
    Thread.ofPlatform().start(child::enqueue);
    for (int i = 0; i < TURN_THREADS; i++) {
      Thread.ofPlatform().start(child::commitTurns);
    }
    Thread.ofPlatform().start(child::runActivities);
  }

  private void enqueue() {
    for (int i = 0; ; i++) {
      String instance = name + "-" + i;
      provider.enqueueForOrchestrator(
          new WorkItem.StartOrchestration(instance, "Crash", "{}", "1.0.0", null), Duration.ZERO);
      print("E " + instance);
    }
  }

  private void commitTurns() {
    while (true) {
      try {
        Optional<LockedOrchestration> locked =
            provider.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, POLL));
        if (locked.isPresent()) {
          commit(locked.orElseThrow());
        }
      } catch (ProviderException | InterruptedException slow) {
        // A lock that ran out on a busy machine.
      }
    }
  }

  private void commit(LockedOrchestration locked) {
    ExecutionKey execution = locked.item().execution();
    long turn = 1L + locked.item().history().events().size() / EVENTS_PER_TURN;
    if (turn > TURNS) {
      provider.ackOrchestrationItem(locked.lockToken(), TurnCommit.nothing(1));
      return;
    }
    provider.ackOrchestrationItem(locked.lockToken(), commit(execution, turn));
    print("T " + execution.instance() + " " + turn);
  }

  private static TurnCommit commit(ExecutionKey execution, long turn) {
    long first = (turn - 1) * EVENTS_PER_TURN + 1;
    String number = Long.toString(turn);
    ExecutionMetadata metadata = ExecutionMetadata.started("Crash", "1.0.0");
    return TurnCommit.events(
            1,
            List.of(
                event(execution, first, new EventKind.ActivityScheduled("Work", "{}", null, null)),
                event(
                    execution, first + 1, new EventKind.KeyValueSet("turn", number, Instant.EPOCH)),
                event(execution, first + 2, new EventKind.CustomStatusUpdated(number))),
            turn == TURNS ? metadata.withStatus(ExecutionStatus.COMPLETED, number) : metadata)
        .withWorkerItems(
            List.of(
                new WorkItem.ActivityExecute(
                    new ActivityKey(execution.instance(), 1, first),
                    "Work",
                    "{}",
                    ActivityRouting.ANYWHERE,
                    ActivityOrigin.UNKNOWN)))
        .withOrchestratorItems(
            List.of(new WorkItem.ExternalRaised(execution.instance(), "next", number)));
  }

  private static Event event(ExecutionKey execution, long id, EventKind kind) {
    return new Event(execution, id, null, new EventStamp(Instant.EPOCH, "1.0.0"), kind);
  }

  private void runActivities() {
    while (true) {
      try {
        for (LockedWork work : provider.fetchWorkItems(WorkFetch.of(LOCK, POLL), 10)) {
          ActivityKey key = work.key();
          provider.ackWorkItem(
              work.lockToken(),
              new WorkItem.ActivityCompleted(key.instance(), 1, key.activityId(), "done"));
          print("W " + key.instance() + " " + key.activityId());
        }
      } catch (ProviderException | InterruptedException slow) {
        // A lock that ran out on a busy machine.
      }
    }
  }

  /** One write for each line, so that a kill cannot keep it back. */
  private void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException parentIsGone) {
      Runtime.getRuntime().halt(1);
    }
  }
}
