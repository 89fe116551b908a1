package io.duroxide.e2e;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects the warnings of one logger while open. */
final class Warnings implements AutoCloseable {
  private final List<String> texts = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final Collector collector = new Collector();

  Warnings(String name) {
    logger = (Logger) LoggerFactory.getLogger(name);
    logger.setLevel(Level.WARN);
    logger.setAdditive(false);
    collector.start();
    logger.addAppender(collector);
  }

  List<String> texts() {
    return List.copyOf(texts);
  }

  @Override
  public void close() {
    logger.detachAppender(collector);
    logger.setAdditive(true);
    logger.setLevel(null);
  }

  private final class Collector extends AppenderBase<ILoggingEvent> {
    @Override
    protected void append(ILoggingEvent event) {
      texts.add(event.getFormattedMessage());
    }
  }
}
