package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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
  private static final long CLOSE_SECONDS = 30;

  private final Database database;
  private final Trouble trouble;
  private final BlockingQueue<Sql> idle;
  private final ExecutorService threads;
  private final ReentrantLock quick = new ReentrantLock();

  FileReaders(Database database) {
    int count = database.options().readers();
    this.database = database;
    this.trouble = database.trouble();
    this.idle = new ArrayBlockingQueue<>(count + 1);
    this.threads =
        Executors.newFixedThreadPool(
            count,
            Thread.ofPlatform()
                .name("duroxide-sqlite-reader " + database.label() + " ", 0)
                .daemon()
                .factory());
  }

  @Override
  public <T> T read(String operation, Query<T> query) {
    try {
      return CompletableFuture.supplyAsync(
              () -> run(operation, sql -> onSnapshot(sql, query)), threads)
          .join();
    } catch (RejectedExecutionException closed) {
      throw Refusal.closed(operation);
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw wrapped;
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
    } catch (RuntimeException failure) {
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
    } catch (SQLException failure) {
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
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
    }
    quick.lock();
    try {
      for (Sql sql = idle.poll(); sql != null; sql = idle.poll()) {
        drop(sql);
      }
    } finally {
      quick.unlock();
    }
  }
}
