package io.duroxide.e2e;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The warnings that one logger writes until closed, with whatever instance they name. */
final class Warnings implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final List<String> complete = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getLevel() == Level.WARN) {
            texts.add(event.getFormattedMessage());
            complete.add(event.getFormattedMessage() + " " + event.getKeyValuePairs());
          }
        }
      };

  Warnings(String loggerName) {
    logger = (Logger) LoggerFactory.getLogger(loggerName);
    before = logger.getLevel();
    appender.start();
    logger.addAppender(appender);
    logger.setAdditive(false);
    logger.setLevel(Level.WARN);
  }

  /** What was written so far. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  /** Whether some warning, its fields included, contains this. */
  boolean contain(String text) {
    return complete.stream().anyMatch(warning -> warning.contains(text));
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setAdditive(true);
    logger.setLevel(before);
  }
}
