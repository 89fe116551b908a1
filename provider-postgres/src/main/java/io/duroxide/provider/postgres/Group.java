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
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
  private boolean doubtful;

  Group(Node node, Receipts receipts) {
    this.node = node;
    this.receipts = receipts;
  }

  /** Takes a command in; false if it must wait for another group. */
  boolean add(Command<?> command) {
    switch (command) {
      case CommitTurn commit -> {
        if (!committing.add(commit.lock().key())) {
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

  /** Whether a try may have been committed whose answer was lost. */
  boolean isDoubtful() {
    return doubtful;
  }

  void again() {
    doubtful = true;
    batches.forEach(Batch::again);
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
    String all = batches.stream().map(Batch::statement).collect(Collectors.joining(";\n"));
    String text = light ? NO_WAIT_FOR_DISK + ";\n" + all : all;
    try (PreparedStatement statement = connection.prepareStatement(schema.in(text))) {
      Binder binder = new Binder(connection.unwrap(PGConnection.class), statement);
      for (Batch batch : batches) {
        batch.bind(binder);
      }
      statement.execute();
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
    if (commits.size() == 1 && LoneCommit.suits(commits.getFirst())) {
      made.add(new LoneCommit(clock, node.id(), commits.getFirst()));
    } else if (!commits.isEmpty()) {
      made.add(new TurnCommits(clock, node.id(), commits));
    }
    if (!acks.isEmpty()) {
      made.add(new WorkAcks(clock, acks));
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

  /** Tells those who wait what can be fetched now, and hands out the answers. */
  void publish(Rooms rooms) {
    Wakes turns = new Wakes();
    Wakes work = new Wakes();
    batches.forEach(batch -> batch.announce(turns, work));
    rooms.tell(turns, work);
    for (Command<?> command : commands) {
      if (!(command instanceof CommitTurn turn && turn.isOpen())) {
        command.publish();
      }
    }
  }

  /** A commit that the server has declined to do the short way; it has no answer yet. */
  Optional<CommitTurn> declined() {
    return commits.stream().filter(CommitTurn::isOpen).findFirst();
  }

  void fail(SQLException cause) {
    for (Command<?> command : commands) {
      command.fail(Trouble.of(command.operation(), cause));
      command.publish();
    }
  }

  void fail(Throwable cause) {
    for (Command<?> command : commands) {
      command.fail(cause);
      command.publish();
    }
  }
}
