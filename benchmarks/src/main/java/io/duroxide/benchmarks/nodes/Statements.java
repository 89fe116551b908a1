package io.duroxide.benchmarks.nodes;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/** Counts the statements that SQLite stores run to read or change something. Thread-safe. */
final class Statements {
  private final AtomicLong count = new AtomicLong();

  Statements() {
    Logger logger = (Logger) LoggerFactory.getLogger("io.duroxide.providers.sqlite.statements");
    AppenderBase<ILoggingEvent> counter =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (!isControl(event.getMessage())) {
              count.incrementAndGet();
            }
          }
        };
    counter.start();
    logger.addAppender(counter);
    logger.setAdditive(false);
    logger.setLevel(Level.TRACE);
  }

  /** Beginnings and ends of transactions, and how they end. */
  private static boolean isControl(String statement) {
    return statement.startsWith("BEGIN")
        || statement.startsWith("COMMIT")
        || statement.startsWith("PRAGMA synchronous");
  }

  long count() {
    return count.get();
  }
}
