package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Work that leaves traces everywhere: every turn of an instance appends three events, sets a value
 * and the custom status to its number, queues one activity and one message. Each operation that was
 * acknowledged is printed as a line, and the lines can be compared with a file.
 */
final class TurnWork {
  static final int TURNS = 12;
  private static final int EVENTS_PER_TURN = 3;

  private final SqliteProvider provider;
  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  TurnWork(SqliteProvider provider) {
    this.provider = provider;
  }

  void start(String instance) {
    provider.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(instance, "Crash", "{}", "1.0.0", null), Duration.ZERO);
    print("E " + instance);
  }

  void commit(LockedOrchestration locked) {
    ExecutionKey execution = locked.item().execution();
    long turn = 1L + locked.item().history().events().size() / EVENTS_PER_TURN;
    if (turn > TURNS) {
      provider.commitTurn(
          new TurnSource.Fetched(locked.lockToken()), TurnCommit.nothing(1), WorkClaim.NONE);
      return;
    }
    provider.commitTurn(
        new TurnSource.Fetched(locked.lockToken()), commit(execution, turn), WorkClaim.NONE);
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

  void complete(LockedWork work) {
    ActivityKey key = work.key();
    provider.ackWorkItem(
        work.lockToken(),
        new WorkItem.ActivityCompleted(key.instance(), 1, key.activityId(), "done"));
    print("W " + key.instance() + " " + key.activityId());
  }

  /** One write for each line, so that a kill cannot keep it back. */
  void print(String line) {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException parentIsGone) {
      Runtime.getRuntime().halt(1);
    }
  }

  /** Checks that a file is sound and has everything that was acknowledged, and nothing by half. */
  static void check(Path file, List<String> lines) {
    Surgery surgery = new Surgery(file);
    Map<String, Long> turns = new HashMap<>();
    try (SqliteProvider provider = SqliteProvider.open(file)) {
      assertThat(surgery.text("PRAGMA integrity_check")).isEqualTo("ok");
      for (String line : lines) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
          case "E" -> assertThat(isThere(surgery, words[1])).as(line).isTrue();
          case "T" -> turns.merge(words[1], Long.valueOf(words[2]), Math::max);
          case "W" -> assertThat(isQueued(surgery, words[1], words[2])).as(line).isFalse();
          case "L" -> {}
          default -> throw new AssertionError("the child said: " + line);
        }
      }
      for (String instance : provider.management().orElseThrow().listInstances()) {
        long turn = wholeTurns(provider, instance);
        assertThat(turn)
            .as("turns of %s", instance)
            .isGreaterThanOrEqualTo(turns.getOrDefault(instance, 0L));
        turns.remove(instance);
      }
    }
    assertThat(turns).as("committed turns whose instance is gone").isEmpty();
  }

  private static boolean isThere(Surgery surgery, String instance) {
    return surgery.number("SELECT count(*) FROM duroxide_instance WHERE id = ?", instance) == 1;
  }

  private static boolean isQueued(Surgery surgery, String instance, String activity) {
    return surgery.number(
            """
            SELECT count(*) FROM duroxide_work WHERE activity = ?
              AND instance = (SELECT key FROM duroxide_instance WHERE id = ?)
            """,
            Long.valueOf(activity),
            instance)
        > 0;
  }

  /** How many turns an instance has; each must have left all of its traces. */
  static long wholeTurns(SqliteProvider provider, String instance) {
    List<Event> events = provider.read(instance);
    long turn = events.size() / EVENTS_PER_TURN;
    InstanceStatus status = provider.status(instance).orElseThrow();
    assertThat(events).hasSize((int) turn * EVENTS_PER_TURN);
    assertThat(events.getLast().id()).isEqualTo(events.size());
    assertThat(provider.kvValue(instance, "turn")).contains(Long.toString(turn));
    assertThat(status.customStatus().status()).isEqualTo(Long.toString(turn));
    assertThat(status.customStatus().version()).isEqualTo(turn);
    return turn;
  }

  /** The lines that tell of every turn and every activity of an instance. */
  static Stream<String> allLines(String instance) {
    Stream<String> turns =
        Stream.iterate(1, turn -> turn <= TURNS, turn -> turn + 1)
            .flatMap(turn ->
                Stream.of(
                    "T " + instance + " " + turn,
                    "W " + instance + " " + ((turn - 1) * EVENTS_PER_TURN + 1)));
    return Stream.concat(Stream.of("E " + instance), turns);
  }
}
