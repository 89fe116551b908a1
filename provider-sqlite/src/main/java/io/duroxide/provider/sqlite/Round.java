package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One group of commands on its way through the file: one transaction, or one for each command after
 * that has failed. Confined to the writer.
 *
 * <p>After an error of the machine, such as too little memory, nothing is tried again: what was not
 * committed fails, and nothing that was remembered is relied on.
 */
final class Round {
  private final Tables tables;
  private final Rooms rooms;
  private final List<News> news = new ArrayList<>();
  private List<Pending<?>> running = List.of();
  private @Nullable Guest guest;
  private boolean committed;
  private boolean foreign;
  private boolean untold;

  Round(Tables tables, Rooms rooms) {
    this.tables = tables;
    this.rooms = rooms;
  }

  /** What a commit has made ready. */
  private record News(Wakes.News turns, Wakes.News work) {
    long tell(Rooms rooms, long turnsSeen) {
      work.tell(rooms.work(), rooms.work().generation());
      return turns.tell(rooms.turns(), turnsSeen);
    }
  }

  /** Runs all commands; they know their answers then, and nobody else does. */
  void commit(List<Pending<?>> group) {
    try {
      begin(group);
    } catch (SQLException | RuntimeException busy) {
      conclude(busy);
      return;
    }
    if (!runAndCommit()) {
      group.forEach(this::runAlone);
    }
  }

  private void begin(List<Pending<?>> commands) throws SQLException {
    running = commands;
    committed = false;
    foreign |= tables.tx().begin(commands.stream().anyMatch(Pending::lasts));
  }

  private void end() throws SQLException {
    tables.tx().commit();
    committed = true;
    conclude(null);
  }

  private void runAlone(Pending<?> one) {
    try {
      begin(List.of(one));
      runAll();
      end();
    } catch (VirtualMachineError broken) {
      throw broken;
    } catch (SQLException | RuntimeException | Error failure) {
      conclude(failure);
    }
  }

  /** False if the transaction broke: then nothing was done, and nobody was answered. */
  private boolean runAndCommit() {
    try {
      runAll();
      serveGuest();
      end();
      return true;
    } catch (VirtualMachineError broken) {
      throw broken;
    } catch (SQLException | RuntimeException | Error failure) {
      if (running.size() == 1 && guest == null) {
        conclude(failure);
        return true;
      }
      tables.tx().rollback();
      if (guest != null) {
        guest.undo();
      }
      return false;
    }
  }

  private void runAll() throws SQLException {
    for (Pending<?> one : running) {
      runOne(one);
    }
  }

  /** What has become ready is taken at once, if a fetch waits for it. */
  private void serveGuest() throws SQLException {
    if (tables.tx().turns().anyReady()) {
      guest = Guest.from(rooms.turns()).orElse(null);
      if (guest != null) {
        guest.lookIn(tables);
      }
    }
  }

  private void runOne(Pending<?> one) throws SQLException {
    tables.beginCommand();
    try {
      one.run(tables);
    } catch (RuntimeException refusal) {
      if (tables.tx().isTouched()) {
        throw refusal;
      }
      one.answer().fail(refusal);
    }
  }

  /** How it ended: for each its own way, or for all with what broke the transaction. */
  private void conclude(@Nullable Throwable broken) {
    Tx tx = tables.tx();
    if (broken != null) {
      tx.rollback();
      running.forEach(one -> one.answer().fail(broken));
    }
    running.forEach(one -> one.answer().settle());
    rooms.stored().set(tx.sql().changedRows());
    news.add(new News(tx.turns().take(), tx.work().take()));
  }

  /** The round was cut short: what was not committed fails with this, and is undone. */
  void abandon(List<Pending<?>> group, Throwable cause) {
    try {
      committed |= tables.tx().abandon();
      rooms.stored().set(tables.tx().sql().changedRows());
    } finally {
      if (committed) {
        untold = true;
        running.forEach(one -> one.answer().settle());
      } else if (guest != null) {
        guest.undo();
      }
      group.forEach(one -> one.answer().failUnlessSettled(cause));
    }
  }

  /** Tells those who wait; to be called when the store is free again. */
  void tell() {
    Guest served = guest;
    guest = null;
    long seen = rooms.turns().generation();
    try {
      seen = served == null ? seen : served.generation();
      for (News each : news) {
        seen = each.tell(rooms, seen);
      }
    } finally {
      if (served != null) {
        served.send(seen);
      }
    }
    if (untold) {
      rooms.wakeAll();
    } else if (foreign) {
      rooms.wakeOneEach();
    }
  }
}
