package io.duroxide.provider.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Commands that run as one transaction in one round trip.
 *
 * <p>Each kind is one statement. Commits come first and fetches last, so that a fetch finds what
 * the commits before it made ready, and because nothing large is sent behind a large answer.
 * Confined to a lane.
 */
final class Group {
  private final List<Command<?>> commands = new ArrayList<>();
  private final Set<Long> committing = new HashSet<>();
  private final List<CommitTurn> commits = new ArrayList<>();
  private final List<AckWork> acks = new ArrayList<>();
  private final List<Send> sends = new ArrayList<>();
  private final List<SendWork> workSends = new ArrayList<>();
  private final List<KeepTurn> turnsKept = new ArrayList<>();
  private final List<KeepWork> workKept = new ArrayList<>();
  private final List<FetchTurns> turnFetches = new ArrayList<>();
  private final List<FetchWork> workFetches = new ArrayList<>();
  private final Node node;
  private final Receipts receipts;
  private List<Batch> batches = List.of();
  private List<Send> taken = List.of();
  private @Nullable Guest guest;
  private boolean sent;
  private boolean doubtful;
  private boolean answered;

  Group(Node node, Receipts receipts) {
    this.node = node;
    this.receipts = receipts;
  }

  /** Takes a command in; false if it must wait for another group. */
  boolean add(Command<?> command) {
    switch (command) {
      case CommitTurn commit -> {
        if (!commit.isNew() && !committing.add(commit.lock().key())) {
          return false;
        }
        commits.add(commit);
      }
      case AckWork ack -> acks.add(ack);
      case Send send -> sends.add(send);
      case SendWork send -> workSends.add(send);
      case KeepTurn keep -> turnsKept.add(keep);
      case KeepWork keep -> workKept.add(keep);
      case FetchTurns fetch -> turnFetches.add(fetch);
      case FetchWork fetch -> workFetches.add(fetch);
    }
    commands.add(command);
    return true;
  }

  List<Command<?>> commands() {
    return commands;
  }

  /**
   * Takes a waiting fetch in. It gets what is started here, or looks for itself.
   *
   * @param generation that of those who wait
   */
  void invite(Guest waiting, long generation) {
    taken = waiting.startsAmong(sends, generation);
    if (taken.isEmpty()) {
      add(waiting.fetch());
      return;
    }
    sends.removeAll(taken);
    commands.add(waiting.fetch());
    guest = waiting;
  }

  /** Whether a fetch of turns that waits would probably find something after this. */
  boolean wantsGuest() {
    return turnFetches.isEmpty()
        && (sends.stream().anyMatch(send -> send.delay() <= 0)
            || acks.stream().anyMatch(ack -> ack.outcome() != null)
            || commits.stream().anyMatch(commit -> !commit.parts().messages().isEmpty()));
  }

  /** Whether all commands were told that they have failed, or run in other groups. */
  boolean isAnswered() {
    return answered;
  }

  /** The commands run in groups of their own. */
  void split() {
    answered = true;
  }

  /** Whether a try may have been committed whose answer was lost. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Whether a try reached the server, or may have, and was not refused there. */
  boolean isSent() {
    return sent;
  }

  /** The next try comes after one that failed; this one is in doubt if that one was sent. */
  void again() {
    if (sent) {
      doubtful = true;
      batches.forEach(Batch::again);
    }
  }

  /** Nothing is lost with a lock that a crash undoes: whoever held it has to fetch again. */
  private static final String NO_WAIT_FOR_DISK =
      """
      SELECT set_config('synchronous_commit', 'off', true)
      """;

  /** Runs all commands; they know their answers then, and nobody else does. */
  void run(Connection connection, Schema schema) throws SQLException {
    if (batches.isEmpty()) {
      batches = batches();
    }
    boolean light = batches.stream().allMatch(Batch::onlyMovesLocks);
    try (PreparedStatement statement = connection.prepareStatement(schema.in(text(light)))) {
      Binder binder = new Binder(connection.unwrap(PGConnection.class), statement);
      for (Batch batch : batches) {
        batch.bind(binder);
      }
      execute(statement);
      if (light) {
        statement.getMoreResults();
      }
      for (Batch batch : batches) {
        try (ResultSet rows = statement.getResultSet()) {
          batch.read(rows);
        }
        statement.getMoreResults();
      }
    }
  }

  private String text(boolean light) {
    if (batches.size() == 1 && !light) {
      return batches.getFirst().statement();
    }
    return Stream.concat(
            light ? Stream.of(NO_WAIT_FOR_DISK) : Stream.of(),
            batches.stream().map(Batch::statement))
        .collect(Collectors.joining(";\n"));
  }

  /** What the server refuses, it has undone. */
  private void execute(PreparedStatement statement) throws SQLException {
    sent = true;
    try {
      statement.execute();
    } catch (SQLException failure) {
      sent = Trouble.remedy(failure) == Trouble.Remedy.RECONNECT;
      throw failure;
    }
  }

  private List<Batch> batches() {
    List<Batch> made = new ArrayList<>();
    StoreClock clock = node.clock();
    for (boolean renews : new boolean[] {true, false}) {
      List<KeepTurn> turns = turnsKept.stream().filter(keep -> keep.renews() == renews).toList();
      if (!turns.isEmpty()) {
        made.add(new TurnKeeping(clock, turns));
      }
      List<KeepWork> work = workKept.stream().filter(keep -> keep.renews() == renews).toList();
      if (!work.isEmpty()) {
        made.add(new WorkKeeping(clock, work));
      }
    }
    if (!commits.isEmpty()) {
      made.add(new TurnCommits(clock, node.id(), commits));
    }
    if (!acks.isEmpty()) {
      made.add(new WorkAcks(clock, acks));
    }
    if (guest != null) {
      made.add(new Starts(node, guest, taken, receipts.issue()));
    }
    if (!sends.isEmpty()) {
      made.add(Sends.of(clock, sends, receipts.issue()));
    }
    if (!workSends.isEmpty()) {
      made.add(new WorkSends(clock, workSends, receipts.issue()));
    }
    alike(turnFetches, FetchTurns::shape).forEach(alike -> made.add(new TurnFetches(node, alike)));
    alike(workFetches, fetch -> fetch.shape().canBeShared() ? fetch.shape() : fetch)
        .forEach(alike -> made.add(new WorkFetches(clock, alike, node.tokens())));
    return made;
  }

  private static <C> List<List<C>> alike(List<C> commands, Function<C, Object> shape) {
    Map<Object, List<C>> byShape = new LinkedHashMap<>();
    for (C command : commands) {
      byShape.computeIfAbsent(shape.apply(command), any -> new ArrayList<>()).add(command);
    }
    return List.copyOf(byShape.values());
  }

  /**
   * Tells those who wait what can be fetched now, and hands out the answers. Returns the generation
   * of the look that a guest has made; if it got starts, it has seen nothing else of this group.
   *
   * @param turnsSeen the generation from before it
   */
  long publish(Rooms rooms, long turnsSeen) {
    try {
      Wakes turns = new Wakes();
      Wakes work = new Wakes();
      batches.forEach(batch -> batch.announce(turns, work));
      long generation = rooms.tell(turns, work, turnsSeen);
      return guest == null ? generation : turnsSeen;
    } finally {
      commands.forEach(Command::publish);
    }
  }

  /** Of several in doubt, one may be to blame; the others may have been done, or be done later. */
  void fail(SQLException cause) {
    answered = true;
    boolean blamed = !doubtful || commands.size() == 1;
    for (Command<?> command : commands) {
      String operation = command.operation();
      command.fail(blamed ? Trouble.of(operation, cause) : Trouble.lostAnswer(operation, cause));
      command.publish();
    }
  }

  void fail(Throwable cause) {
    answered = true;
    for (Command<?> command : commands) {
      command.fail(cause);
      command.publish();
    }
  }
}
