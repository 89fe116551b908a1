package io.duroxide.provider.sqlite;

import io.duroxide.provider.PooledCall;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.WaitingCallers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads on connections of their own, each with its snapshot, while the writer goes on. All but
 * quick ones run on platform threads, because native code would pin a virtual one. Thread-safe.
 */
final class FileReaders implements Readers {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final long CLOSE_SECONDS = 4;

  private final Database database;
  private final OpenFile file;
  private final StoreThreads others;
  private final Trouble trouble;
  private final BlockingQueue<Sql> idle;
  private final WaitingCallers callers;
  private final ThreadPoolExecutor threads;
  private final ReentrantLock quick = new ReentrantLock();

  FileReaders(Database database, StoreThreads threads, OpenFile file) {
    this.file = file;
    this.others = threads;
    int count = database.options().readers();
    this.database = database;
    this.trouble = database.trouble();
    this.callers = threads.callers();
    this.idle = new ArrayBlockingQueue<>(count + 1);
    this.threads = threads.pool("reader", count, Duration.ZERO);
  }

  @Override
  public <T> T read(String operation, Query<T> query) {
    PooledCall<T> call =
        new PooledCall<>(operation, () -> run(operation, sql -> onSnapshot(sql, query)));
    try {
      return call.on(threads, callers, failure -> trouble.told(operation, failure));
    } catch (RejectedExecutionException closed) {
      throw Refusal.closed(operation);
    }
  }

  /**
   * The caller reads by itself, which saves it two changes of thread, unless somebody else is at
   * it: a virtual thread that reads keeps a processor from others, so there is one at a time.
   */
  @Override
  public <T> T readQuickly(String operation, Query<T> query) {
    if (!quick.tryLock()) {
      return read(operation, query);
    }
    try {
      if (threads.isShutdown()) {
        throw Refusal.closed(operation);
      }
      return run(operation, query);
    } finally {
      quick.unlock();
    }
  }

  /** There is a connection for each thread and one for a caller; an idle one may be opened. */
  private <T> T run(String operation, Query<T> query) {
    others.check(operation);
    file.check(operation);
    Sql sql = idle.poll();
    try {
      if (sql == null) {
        sql = database.openReader();
      }
      T answer = query.run(sql);
      idle.add(sql);
      return answer;
    } catch (SQLException failure) {
      drop(sql);
      throw trouble.of(operation, failure);
    } catch (RuntimeException | Error failure) {
      drop(sql);
      throw failure;
    }
  }

  private static <T> T onSnapshot(Sql sql, Query<T> query) throws SQLException {
    sql.control("BEGIN");
    T answer = query.run(sql);
    sql.control("COMMIT");
    return answer;
  }

  private static void drop(@Nullable Sql sql) {
    if (sql == null) {
      return;
    }
    try {
      sql.close();
    } catch (SQLException | RuntimeException | Error failure) {
      LOG.atDebug().setCause(failure).log("closing a reader");
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.atWarn().log("a read has not ended; its connection stays open");
      }
      awaitQuickOne();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
    for (Sql sql = idle.poll(); sql != null; sql = idle.poll()) {
      drop(sql);
    }
  }

  /** Waits for a caller that reads by itself, but not for one that hangs. */
  private void awaitQuickOne() throws InterruptedException {
    if (quick.tryLock(1, TimeUnit.SECONDS)) {
      quick.unlock();
    }
  }
}
