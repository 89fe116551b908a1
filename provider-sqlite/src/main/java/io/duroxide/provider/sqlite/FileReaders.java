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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads on connections of their own, each with its snapshot, while the writer goes on. They run on
 * platform threads, because native code would pin a virtual one. Thread-safe.
 */
final class FileReaders implements Readers {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final long CLOSE_SECONDS = 30;

  private final Database database;
  private final Trouble trouble;
  private final BlockingQueue<Sql> idle;
  private final ExecutorService threads;

  FileReaders(Database database) {
    int count = database.options().readers();
    this.database = database;
    this.trouble = database.trouble();
    this.idle = new ArrayBlockingQueue<>(count);
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
      return CompletableFuture.supplyAsync(() -> run(operation, query), threads).join();
    } catch (RejectedExecutionException closed) {
      throw Refusal.closed(operation);
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw wrapped;
    }
  }

  /** There are as many connections as threads, so an idle one is there or may be opened. */
  private <T> T run(String operation, Query<T> query) {
    Sql sql = idle.poll();
    try {
      if (sql == null) {
        sql = database.openReader();
      }
      T answer = onSnapshot(sql, query);
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
    for (Sql sql = idle.poll(); sql != null; sql = idle.poll()) {
      drop(sql);
    }
  }
}
