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
  private final List<Begin> begins = new ArrayList<>();
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
      case Begin begin -> begins.add(begin);
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

  /** Whether the next try goes another way than the one that was undone, and so at once. */
  boolean undone() {
    boolean otherWay = false;
    for (Batch batch : batches) {
      otherWay |= batch.undone();
    }
    return otherWay;
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
    List<Batch> lone = lone();
    if (!lone.isEmpty()) {
      return lone;
    }
    List<Batch> made = new ArrayList<>(settling());
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
    made.addAll(commitBatches());
    if (!acks.isEmpty()) {
      made.add(new WorkAcks(clock, acks));
    }
    if (!begins.isEmpty()) {
      made.add(Begins.of(clock, node.id(), begins));
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

  /** The shortest way of a turn that has the group for itself; nothing if there is none. */
  private List<Batch> lone() {
    if (commands.size() > 1 || commits.isEmpty() || !UsualCommits.suits(commits.getFirst())) {
      return List.of();
    }
    CommitTurn turn = commits.getFirst();
    UsualCommits way = LoneStep.orCommit(node.clock(), node.id(), turn);
    return way instanceof LoneStep || !turn.endsHeld() ? List.of(way) : List.of();
  }

  /** All instances of the group, so that they are locked in one order. */
  private List<Batch> settling() {
    boolean any =
        commits.stream().anyMatch(turn -> turn.endsHeld() && !isLoneStep(turn))
            || acks.stream().anyMatch(ack -> ack.lock().held())
            || workKept.stream().anyMatch(keep -> keep.lock().held());
    if (!any) {
      return List.of();
    }
    Stream<Long> activities =
        Stream.concat(acks.stream().map(AckWork::lock), workKept.stream().map(KeepWork::lock))
            .filter(Tokens.Work::held)
            .map(Tokens.Work::instance);
    Stream<Long> turns = commits.stream().map(turn -> turn.lock().key());
    return List.of(new Settling(Stream.concat(activities, turns).distinct().toList()));
  }

  private boolean isLoneStep(CommitTurn turn) {
    return commits.size() == 1 && UsualCommits.suits(turn) && LoneStep.suits(turn);
  }

  /** The usual turns go short ways: one by itself, and several that follow from activities. */
  private List<Batch> commitBatches() {
    if (commits.size() == 1 && UsualCommits.suits(commits.getFirst())) {
      return List.of(LoneStep.orCommit(node.clock(), node.id(), commits.getFirst()));
    }
    List<CommitTurn> steps = commits.stream().filter(StepCommits::suitsSteps).toList();
    List<CommitTurn> others =
        commits.stream().filter(turn -> !StepCommits.suitsSteps(turn)).toList();
    List<Batch> made = new ArrayList<>();
    if (!steps.isEmpty()) {
      made.add(StepCommits.of(node.clock(), node.id(), steps));
    }
    if (!others.isEmpty()) {
      made.add(new TurnCommits(node.clock(), node.id(), others));
    }
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
    Wakes turns = new Wakes();
    Wakes work = new Wakes();
    batches.forEach(batch -> batch.announce(turns, work));
    long generation = rooms.tell(turns, work, turnsSeen);
    for (Command<?> command : commands) {
      if (!(command instanceof CommitTurn turn && turn.isOpen())) {
        command.publish();
      }
    }
    return guest == null ? generation : turnsSeen;
  }

  /** Commits that the server has declined to do the short way; they have no answer yet. */
  List<CommitTurn> declined() {
    return commits.stream().filter(CommitTurn::isOpen).toList();
  }

  /** Of several in doubt, one may be to blame; the others may have been done, or be done later. */
  void fail(SQLException cause) {
    boolean blamed = !doubtful || commands.size() == 1;
    for (Command<?> command : commands) {
      String operation = command.operation();
      command.fail(blamed ? Trouble.of(operation, cause) : Trouble.lostAnswer(operation, cause));
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
