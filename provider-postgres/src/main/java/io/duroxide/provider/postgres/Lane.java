package io.duroxide.provider.postgres;

import io.duroxide.provider.SystemTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A way on which one group of commands after the other goes to the server.
 *
 * <p>A group that fails is rolled back by the server, and then each of its commands runs alone, so
 * that only the bad one fails. If the connection breaks, or the answer cannot be read, the group
 * may have been committed all the same: it runs again as it was, and each command recognises what
 * it has done already. A fetch that waits for what a group makes ready runs with it.
 *
 * <p>Confined to whoever has the lane, and anyone may stop it. An interrupt breaks the connection
 * that a virtual thread reads from; that is a broken connection like any other, and the thread is
 * interrupted again at the end.
 */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final int REPEATS = 5;
  private static final long GRACE_MILLIS = 2000;
  private static final long LIMIT_MILLIS = 4000;
  private static final long LOOK_MILLIS = 10;

  private final int number;
  private final Store store;
  private final Node node;
  private final Receipts receipts;
  private final Rooms rooms;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Pauses pauses = new Pauses();
  private final Borrowing borrowing = new Borrowing();
  private volatile @Nullable Connection current;
  private volatile long stoppedAt;
  private @Nullable Error broken;
  private boolean interrupted;

  Lane(int number, Store store, Node node, Rooms rooms) {
    this.number = number;
    this.store = store;
    this.node = node;
    this.receipts = new Receipts(node, number);
    this.rooms = rooms;
  }

  int number() {
    return number;
  }

  /** Who waits for a connection, if it does. */
  Borrowing borrowing() {
    return borrowing;
  }

  /** Throws the error of the machine that cut the last run short, if one did. */
  void rethrow() {
    Error error = broken;
    broken = null;
    if (error != null) {
      throw error;
    }
  }

  boolean isStopped() {
    return pauses.isOver();
  }

  /** Whether it has a connection. */
  boolean isBusy() {
    return current != null;
  }

  /** Runs commands, some together; returns what must wait for the next round. */
  List<Command<?>> run(List<Command<?>> commands) {
    interrupted = Thread.interrupted();
    try {
      return runGroups(commands);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Locks are kept in a transaction of their own. */
  private List<Command<?>> runGroups(List<Command<?>> commands) {
    Group keeping = new Group(node, receipts);
    Group main = new Group(node, receipts);
    List<Command<?>> next = new ArrayList<>();
    for (Command<?> command : commands) {
      boolean keeps = command instanceof Keep;
      if (!(keeps ? keeping : main).add(command)) {
        next.add(command);
      }
    }
    run(keeping);
    Optional<Guest> guest = main.wantsGuest() ? Guest.from(rooms.turns()) : Optional.empty();
    long seen = rooms.turns().generation();
    long generation = seen;
    try {
      guest.ifPresent(waiting -> main.invite(waiting, seen));
      generation = run(main, seen);
    } finally {
      send(guest, generation);
    }
    receipts.settle();
    return next;
  }

  /** A guest that was not served looks for itself. */
  private static void send(Optional<Guest> guest, long generation) {
    guest.ifPresent(waiting -> waiting.send(generation));
  }

  private void run(Group group) {
    run(group, rooms.turns().generation());
  }

  /**
   * Returns the generation of turns that a fetch in this group has seen.
   *
   * @param seen the one from before
   */
  private long run(Group group, long seen) {
    if (group.commands().isEmpty()) {
      return seen;
    }
    long deadline = nanos.getAsLong() + store.patience().toNanos();
    for (int tries = 1; !isDone(group, tries, deadline); tries++) {
      LOG.trace("a group runs again");
    }
    if (!group.isAnswered()) {
      return group.publish(rooms, seen);
    }
    return seen;
  }

  /** Runs a group; false if it has to run again. */
  private boolean isDone(Group group, int tries, long deadline) {
    try {
      attempt(group);
      return true;
    } catch (SQLException failure) {
      borrowing.calm();
      interrupted |= Thread.interrupted();
      group.again();
      boolean late = isStopped() || deadline - nanos.getAsLong() <= 0;
      if (!mayRunAgain(group, failure, tries) || late) {
        giveUp(group, failure);
        return true;
      }
      pauses.take(tries);
      return false;
    } catch (RuntimeException bug) {
      LOG.atError().setCause(bug).log("an operation failed unexpectedly");
      group.fail(bug);
      return true;
    } catch (Error error) {
      broken = error;
      group.fail(error);
      return true;
    }
  }

  /** Whether the same group shall be tried once more, as a whole. */
  private boolean mayRunAgain(Group group, SQLException failure, int tries) {
    return switch (Trouble.remedy(failure)) {
      case RECONNECT, ELSEWHERE -> true;
      case REPEAT -> (group.commands().size() == 1 || group.isDoubtful()) && tries <= REPEATS;
      case NONE -> false;
    };
  }

  private void giveUp(Group group, SQLException failure) {
    boolean alone = group.commands().size() == 1;
    boolean away =
        switch (Trouble.remedy(failure)) {
          case RECONNECT, ELSEWHERE -> true;
          case REPEAT, NONE -> false;
        };
    if (alone || away || group.isDoubtful() || Trouble.isPool(failure)) {
      group.fail(failure);
      return;
    }
    group.split();
    for (Command<?> command : group.commands()) {
      run(groupOf(List.of(command)));
    }
  }

  private Group groupOf(List<? extends Command<?>> commands) {
    Group group = new Group(node, receipts);
    commands.forEach(group::add);
    return group;
  }

  private void attempt(Group group) throws SQLException {
    try (Connection connection = borrowing.from(store)) {
      current = connection;
      if (isStopped()) {
        throw new SQLException("the store was closed", "57P01");
      }
      run(group, connection);
    } catch (RuntimeException | Error bug) {
      if (!group.isSent()) {
        throw bug;
      }
      LOG.atError().setCause(bug).log("the answer of the server could not be read");
      throw Trouble.unread(bug);
    } finally {
      current = null;
    }
  }

  private void run(Group group, Connection connection) throws SQLException {
    try {
      group.run(connection, store.schema());
    } catch (SQLException failure) {
      Trouble.cutOff(connection, failure);
      throw failure;
    } catch (Error failure) {
      Trouble.cutOff(connection, failure);
      throw failure;
    }
  }

  /** Nothing more begins; what runs may end. */
  void stop() {
    stoppedAt = nanos.getAsLong();
    pauses.end();
  }

  /** Something that ends by itself. */
  @FunctionalInterface
  interface Ending {
    boolean comesWithin(long millis) throws InterruptedException;
  }

  /** Waits for what runs; a group that hangs is cut off, and then no longer waited for. */
  void awaitEnd(Ending ending) {
    boolean woken = false;
    long cutAt = stoppedAt + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
    long overAt = stoppedAt + TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);
    for (boolean ended = false; !ended && overAt - nanos.getAsLong() > 0; ) {
      try {
        ended = ending.comesWithin(LOOK_MILLIS);
      } catch (InterruptedException later) {
        woken = true;
      }
      Connection hanging = current;
      if (hanging != null && cutAt - nanos.getAsLong() <= 0) {
        Trouble.abort(hanging);
      }
    }
    if (woken) {
      Thread.currentThread().interrupt();
    }
  }
}
