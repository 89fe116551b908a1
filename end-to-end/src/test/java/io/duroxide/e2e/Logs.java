package io.duroxide.e2e;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What one logger writes while this is open. Thread-safe. */
final class Logs extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final boolean additive;
  private final List<ILoggingEvent> written = new CopyOnWriteArrayList<>();

  private Logs(Logger logger) {
    this.logger = logger;
    this.before = logger.getLevel();
    this.additive = logger.isAdditive();
  }

  /** Listens to a logger from this level on. */
  static Logs of(String name, Level level) {
    Logger logger = (Logger) LoggerFactory.getLogger(name);
    Logs logs = new Logs(logger);
    logs.start();
    logger.setLevel(level);
    logger.setAdditive(false);
    logger.addAppender(logs);
    return logs;
  }

  @Override
  protected void append(ILoggingEvent event) {
    event.prepareForDeferredProcessing();
    written.add(event);
  }

  List<ILoggingEvent> written() {
    return List.copyOf(written);
  }

  List<String> lines() {
    return written.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  /** The fields of an event as text. */
  static Map<String, String> fields(ILoggingEvent event) {
    return event.getKeyValuePairs().stream()
        .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setLevel(before);
    logger.setAdditive(additive);
  }
}
