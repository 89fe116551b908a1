package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("Loops of threads")
class RoundGuardTest {
  private final VirtualTime time = new VirtualTime();
  private final List<Throwable> met = new ArrayList<>();

  @Test
  @DisplayName("RL-014 pauses double from 100 ms to 5 s, and begin anew after a good round")
  void pauses() {
    List<Duration> rounds = new ArrayList<>();
    AtomicInteger round = new AtomicInteger();
    new RoundGuard("a thread", time, met::add)
        .loop(
            () -> round.get() < 10,
            () -> {
              rounds.add(time.elapsed());
              if (round.incrementAndGet() != 8) {
                throw new OutOfMemoryError("no memory");
              }
            });

    assertThat(rounds.stream().map(Duration::toMillis))
        .containsExactly(0L, 100L, 300L, 700L, 1_500L, 3_100L, 6_300L, 11_300L, 11_300L, 11_400L);
    assertThat(met).hasSize(9);
  }

  @Test
  @DisplayName("RL-014 a minute has one line, which says how many failures there were")
  void onceAMinute() {
    Logger logger = (Logger) LoggerFactory.getLogger("io.duroxide.runtime");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.ERROR);
    logger.setAdditive(false);
    try {
      AtomicInteger round = new AtomicInteger();
      new RoundGuard("a thread", time, met::add)
          .loop(
              () -> time.elapsed().compareTo(Duration.ofSeconds(70)) < 0,
              () -> {
                round.incrementAndGet();
                throw new OutOfMemoryError("no memory");
              });
      assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("a thread", "goes on"));
      assertThat(lines.list.getLast().getFormattedMessage()).contains(" 18. ");
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
      logger.setAdditive(true);
    }
  }

  @Test
  @DisplayName("RL-014 a thread goes on even if it can neither log nor pause")
  void withoutMemory() {
    Waiting broken =
        new Waiting() {
          @Override
          public long nanoTime() {
            throw new OutOfMemoryError("no memory for that");
          }

          @Override
          public void sleep(Duration duration) {
            throw new OutOfMemoryError("nor for that");
          }
        };
    AtomicInteger round = new AtomicInteger();
    new RoundGuard("a thread", broken, met::add)
        .loop(
            () -> round.get() < 3,
            () -> {
              round.incrementAndGet();
              throw new OutOfMemoryError("no memory");
            });

    assertThat(round).hasValue(3);
  }
}
