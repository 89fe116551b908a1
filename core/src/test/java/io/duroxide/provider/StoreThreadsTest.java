package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.duroxide.provider.ProviderException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@DisplayName("Threads of a store")
class StoreThreadsTest {
  private static final Logger LOG = LoggerFactory.getLogger(StoreThreadsTest.class);

  private final List<Long> pauses = new ArrayList<>();

  /** Rounds that fail in turn with what they are given, and then wait to be stopped. */
  private static final class Failing implements StoreThread.Rounds {
    final List<Throwable> failures = new ArrayList<>();
    final CountDownLatch done = new CountDownLatch(1);
    final CountDownLatch over = new CountDownLatch(1);

    @Override
    public void next() throws Throwable {
      if (failures.isEmpty()) {
        done.countDown();
        new CountDownLatch(1).await();
      }
      throw failures.removeFirst();
    }

    @Override
    public void ended() {
      over.countDown();
    }
  }

  private static ListAppender<ILoggingEvent> heardOn(String name) {
    ListAppender<ILoggingEvent> heard = new ListAppender<>();
    heard.start();
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(name)).addAppender(heard);
    return heard;
  }

  @Test
  @DisplayName("a round that fails with anything is followed by another, after longer pauses")
  void goesOn() throws InterruptedException {
    StoreThreads threads = new StoreThreads("test", "here", LOG, pauses::add);
    Failing rounds = new Failing();
    for (int i = 0; i < 7; i++) {
      rounds.failures.add(i % 2 == 0 ? new OutOfMemoryError("made") : new Exception("made"));
    }
    StoreThread loop = threads.loop("writer", rounds);
    loop.start();
    rounds.done.await();

    assertThat(pauses).containsExactly(100L, 200L, 400L, 800L, 1600L, 3200L, 5000L);
    assertThat(threads.health(List.of())).isEqualTo(new StoreHealth(1, 1, List.of()));
    loop.stop();
    loop.interrupt();
    assertThat(loop.join(Duration.ofSeconds(10))).isTrue();
    assertThat(rounds.over.getCount()).isEqualTo(1);
    assertThat(threads.health(List.of()).failures()).isEmpty();
  }

  @Test
  @DisplayName("a thread that ends all the same says so, and is named")
  void ends() throws InterruptedException {
    ListAppender<ILoggingEvent> heard = heardOn("test.ends");
    StoreThreads threads =
        new StoreThreads(
            "test",
            "here",
            LoggerFactory.getLogger("test.ends"),
            millis -> {
              throw new StackOverflowError("made");
            });
    Failing rounds = new Failing();
    rounds.failures.add(new OutOfMemoryError("made"));
    StoreThread loop = threads.loop("herald", rounds);
    threads.check("before");
    loop.start();
    rounds.over.await();
    assertThat(loop.join(Duration.ofSeconds(10))).isTrue();

    String text =
        "the store's herald thread has ended (java.lang.StackOverflowError); open the store anew";
    assertThatThrownBy(() -> threads.check("later"))
        .isInstanceOfSatisfying(
            ProviderException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
        .hasMessage("later: " + text);
    assertThat(threads.health(List.of("more")))
        .isEqualTo(new StoreHealth(1, 0, List.of(text, "more")));
    assertThat(heard.list.getLast().getFormattedMessage())
        .isEqualTo("the herald thread of the store here has ended; open the store anew");
    assertThat(heard.list.getLast().getThrowableProxy().getClassName())
        .isEqualTo(StackOverflowError.class.getName());
  }

  @Test
  @DisplayName("one line a minute tells how often something failed")
  void lines() {
    AtomicLong nanos = new AtomicLong();
    ListAppender<ILoggingEvent> heard = heardOn("test.setbacks");
    Setbacks setbacks =
        new Setbacks(LoggerFactory.getLogger("test.setbacks"), "test", pauses::add, nanos::get);
    for (int i = 0; i < 10; i++) {
      setbacks.note(new OutOfMemoryError("made"));
      nanos.addAndGet(Duration.ofSeconds(7).toNanos());
    }

    assertThat(heard.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .containsExactly(
            "the test failed, 1 times since this was last told; it goes on",
            "the test failed, 9 times since this was last told; it goes on");
    assertThat(heard.list).allMatch(line -> line.getLevel() == Level.ERROR);
    assertThat(pauses).isEmpty();
  }

  @Test
  @DisplayName("who waits for an answer looks whether it can still come")
  void answerThatNeverComes() {
    Answer<String> answer = new Answer<>();
    AtomicInteger looks = new AtomicInteger();
    Answer.Source source =
        new Answer.Source() {
          @Override
          public Optional<RuntimeException> end() {
            looks.incrementAndGet();
            return Optional.of(new IllegalStateException("gone"));
          }

          @Override
          public RuntimeException told(Throwable failure) {
            return new IllegalStateException(failure);
          }
        };

    StoreThreads threads = new StoreThreads("test", "here", LOG);

    assertThatThrownBy(() -> answer.await(threads.callers(), source)).hasMessage("gone");
    assertThat(looks).hasValue(1);
    assertThat(threads.health(List.of()).threads()).isZero();

    FutureTask<String> virtual = new FutureTask<>(() -> answer.await(threads.callers(), source));
    Thread.ofVirtual().start(virtual);
    assertThatThrownBy(virtual::get).hasRootCauseMessage("gone");
    assertThat(looks).hasValue(2);
    assertThat(threads.health(List.of())).isEqualTo(new StoreHealth(1, 1, List.of()));
    threads.close();
  }

  @Test
  @DisplayName("a failure that comes after the end of a transaction changes no answer")
  void settled() {
    Answer<String> answer = new Answer<>();
    answer.succeed("done");
    answer.settle();
    answer.failUnlessSettled(new OutOfMemoryError("made"));
    answer.publish();

    assertThat(answer.await(new StoreThreads("test", "here", LOG).callers(), NEVER))
        .isEqualTo("done");
  }

  private static final Answer.Source NEVER =
      new Answer.Source() {
        @Override
        public Optional<RuntimeException> end() {
          return Optional.empty();
        }

        @Override
        public RuntimeException told(Throwable failure) {
          return new IllegalStateException(failure);
        }
      };

  @Test
  @DisplayName("work that ends with an error is answered, and the pool goes on")
  void pooled() {
    StoreThreads threads = new StoreThreads("test", "here", LOG);
    ThreadPoolExecutor pool = threads.pool("reader", 1, Duration.ZERO);
    PooledCall<String> bad =
        new PooledCall<>(
            "read",
            () -> {
              throw new OutOfMemoryError("made");
            });

    assertThatThrownBy(() -> bad.on(pool, threads.callers(), IllegalStateException::new))
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertThat(
            new PooledCall<>("read", () -> Thread.currentThread().getName())
                .on(pool, threads.callers(), IllegalStateException::new))
        .isEqualTo("test-reader here 1");
    pool.shutdown();
  }
}
