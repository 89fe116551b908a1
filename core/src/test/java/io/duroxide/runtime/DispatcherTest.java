package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.telemetry.NodeEvent.LockKind;
import io.duroxide.telemetry.WorkQueue;
import io.duroxide.threads.ThreadMaker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A dispatcher on a store that does as it is told. */
@DisplayName("Dispatchers in trouble")
class DispatcherTest {
  private static final Duration LOCK = Duration.ofSeconds(5);
  private static final int SLOTS = 2;

  private final VirtualTime time = new VirtualTime();
  private final AtomicInteger threadsRefused = new AtomicInteger();
  private final MemoryProvider provider = MemoryProvider.create(time::instant);
  private final RuntimeParts parts = Node.parts(provider, new Refusing());
  private final LeaseKeeper leases = new LeaseKeeper(parts, new CallersThread());
  private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
  private final List<Duration> polls = new CopyOnWriteArrayList<>();
  private final List<String> processed = new CopyOnWriteArrayList<>();
  private final List<String> handedBack = new CopyOnWriteArrayList<>();
  private final Scripted dispatcher = new Scripted();

  @AfterEach
  void close() throws InterruptedException {
    dispatcher.stop();
    assertThat(dispatcher.awaitStopped(Duration.ofSeconds(30))).isTrue();
    assertThat(dispatcher.awaitIdle(Duration.ofSeconds(30))).as("every slot is free").isTrue();
    provider.close();
  }

  /** Virtual time, and threads that cannot be started as often as a test says. */
  private final class Refusing implements Waiting {
    @Override
    public long nanoTime() {
      return time.nanoTime();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
      time.sleep(duration);
    }

    @Override
    public ThreadMaker threads() {
      return new ThreadMaker() {
        @Override
        public Thread virtual(String name, Runnable task) {
          if (threadsRefused.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return ThreadMaker.super.virtual(name, task);
        }
      };
    }
  }

  /** Gives out what a test has queued: items, or something to throw. */
  private final class Scripted extends Dispatcher<String> {
    Scripted() {
      super("scripted", parts, new Slots(SLOTS), leases);
    }

    @Override
    WorkQueue queue() {
      return WorkQueue.WORKER;
    }

    @Override
    List<String> fetch(int max, Duration longest) throws InterruptedException {
      polls.add(longest);
      Object answer = answers.take();
      return switch (answer) {
        case Error error -> throw error;
        case RuntimeException failure -> throw failure;
        default -> List.of(((String) answer).split(","));
      };
    }

    @Override
    void process(String item, Runnable done) {
      processed.add(item);
      done.run();
      if (item.equals("broken")) {
        throw new OutOfMemoryError("made by a test");
      }
    }

    @Override
    void handBack(String item) {
      handedBack.add(item);
    }
  }

  private void awaitProcessed(String... items) {
    await().until(() -> processed.size() == items.length);
    assertThat(processed).containsExactlyInAnyOrder(items);
  }

  @Test
  @DisplayName("RL-014 a fetch that throws an error of the JVM: the dispatcher goes on")
  void errorInFetch() {
    answers.add(new OutOfMemoryError("once"));
    answers.add(new OutOfMemoryError("twice"));
    answers.add("one");
    dispatcher.start();

    awaitProcessed("one");
    assertThat(time.elapsed()).isEqualTo(Duration.ofMillis(300));
    assertThat(dispatcher.thread().orElseThrow().isAlive()).isTrue();
  }

  @Test
  @DisplayName("RL-014 an item that throws an error of the JVM ends no thread unseen")
  void errorInProcess() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    List<Throwable> unseen = new CopyOnWriteArrayList<>();
    Thread.setDefaultUncaughtExceptionHandler((thread, error) -> unseen.add(error));
    try {
      answers.add("broken,other");
      dispatcher.start();

      awaitProcessed("broken", "other");
      await().until(() -> dispatcher.slots().free() >= SLOTS - 1);
      assertThat(unseen).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  @DisplayName("RL-015 no thread can be started for an item: it is handed back, others are served")
  void noThread() {
    answers.add("first,second");
    threadsRefused.set(0);
    dispatcher.start();
    awaitProcessed("first", "second");
    threadsRefused.set(1);
    answers.add("refused,third");
    awaitProcessed("first", "second", "third");

    assertThat(handedBack).containsExactly("refused");
    answers.add("fourth,fifth");
    awaitProcessed("first", "second", "third", "fourth", "fifth");
  }

  @Test
  @DisplayName("RL-018 while locks are not looked after nothing is fetched")
  void behind() {
    leases.keep(LockKind.ACTIVITY, "a lock", LOCK, LOCK.dividedBy(2), null);
    time.pass(LOCK.multipliedBy(4));
    dispatcher.start();
    await().until(() -> time.elapsed().compareTo(LOCK.multipliedBy(5)) > 0);
    assertThat(polls).isEmpty();

    answers.add("one");
    leases.look();
    awaitProcessed("one");
  }

  @Test
  @DisplayName("after a failure the store is asked for an answer at once, then as long as ever")
  void quickAnswer() {
    answers.add(new ProviderException(ProviderException.Kind.UNAVAILABLE, "fetch", "away"));
    answers.add("one");
    answers.add("two");
    dispatcher.start();
    awaitProcessed("one", "two");

    Duration usual = parts.options().longPollTimeout();
    assertThat(polls.subList(0, 3)).containsExactly(usual, Duration.ZERO, usual);
  }
}
