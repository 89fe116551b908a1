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
 * One thread that runs groups of commands.
 *
 * <p>A group that fails is rolled back by the server, and then each of its commands runs alone, so
 * that only the bad one fails. If the connection breaks, or the answer cannot be read, the group
 * may have been committed all the same: it runs again as it was, and each command recognises what
 * it has done already. A fetch that waits for what a group makes ready runs with it. Thread-safe.
 */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final int GROUP = 512;
  private static final int REPEATS = 5;
  private static final long GRACE_MILLIS = 2000;

  private final Store store;
  private final Node node;
  private final Receipts receipts;
  private final Rooms rooms;
  private final Inbox inbox;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Pauses pauses = new Pauses();
  private final Thread thread;
  private volatile @Nullable Connection current;

  Lane(int number, Store store, Node node, Rooms rooms, Inbox inbox) {
    this.store = store;
    this.node = node;
    this.receipts = new Receipts(node, number);
    this.rooms = rooms;
    this.inbox = inbox;
    this.thread =
        Thread.ofPlatform()
            .name("duroxide-postgres-" + number + " " + store.schema().name())
            .daemon()
            .unstarted(this::work);
  }

  void start() {
    thread.start();
  }

  private boolean isStopped() {
    return pauses.isOver();
  }

  private void work() {
    List<Command<?>> waiting = new ArrayList<>();
    while (!isStopped()) {
      try {
        inbox.take(waiting, GROUP);
      } catch (InterruptedException woken) {
        continue;
      }
      waiting = runGroups(waiting);
    }
    for (Command<?> late : waiting) {
      late.fail(Refusal.closed(late.operation()));
      late.publish();
    }
  }

  /** Locks are kept in a transaction of their own; returns what must wait for the next round. */
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
    guest.ifPresent(waiting -> main.invite(waiting, seen));
    long generation = run(main, seen);
    guest.ifPresent(waiting -> waiting.send(generation));
    receipts.settle();
    return next;
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
    for (int tries = 1; ; tries++) {
      try {
        attempt(group);
        long generation = group.publish(rooms, seen);
        run(groupOf(group.declined()));
        return generation;
      } catch (SQLException failure) {
        group.again();
        boolean late = isStopped() || deadline - nanos.getAsLong() <= 0;
        if (!mayRunAgain(group, failure, tries) || late) {
          giveUp(group, failure);
          return seen;
        }
        boolean otherWay = Trouble.remedy(failure) == Trouble.Remedy.REPEAT && group.undone();
        if (!otherWay) {
          pauses.take(tries);
        }
      } catch (RuntimeException | Error bug) {
        LOG.atError().setCause(bug).log("an operation failed unexpectedly");
        group.fail(bug);
        return seen;
      }
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
    try (Connection connection = store.connection()) {
      current = connection;
      if (isStopped()) {
        throw new SQLException("the store was closed", "57P01");
      }
      run(group, connection);
    } catch (RuntimeException bug) {
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
    }
  }

  void stop() {
    pauses.end();
    if (current == null) {
      thread.interrupt();
    }
  }

  /** Waits for the group that runs; one that hangs is cut off. */
  void join() {
    boolean interrupted = false;
    long cutAt = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
    while (thread.isAlive()) {
      try {
        thread.join(10);
      } catch (InterruptedException later) {
        interrupted = true;
      }
      Connection hanging = current;
      if (hanging == null) {
        thread.interrupt();
      } else if (cutAt - nanos.getAsLong() <= 0) {
        abort(hanging);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void abort(Connection hanging) {
    try {
      hanging.abort(Runnable::run);
    } catch (SQLException alreadyGone) {
      LOG.debug("a connection was gone already: {}", alreadyGone.getMessage());
    }
  }
}
