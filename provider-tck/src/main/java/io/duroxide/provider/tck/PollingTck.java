package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** POLL: how long an empty fetch takes (8.11). Real time passes here. */
public abstract class PollingTck extends ProviderTck {
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Two clocks that count milliseconds may differ by this. */
  private static final Duration GRAIN = Duration.ofMillis(5);

  /** For subclasses. */
  protected PollingTck() {}

  /** The first statements of a connection are slow and not what is measured. */
  @BeforeEach
  final void warmUp() {
    nothingToFetch();
    noWork();
  }

  @Test
  @Needs.ShortPoll
  @DisplayName("TCK-POLL-01 a short poll for a turn returns at once")
  void shortPoll() {
    assertThat(emptyFetch(POLL)).isLessThan(fixture().shortPollThreshold());
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-02 a long poll for a turn waits for its timeout")
  void longPoll() {
    assertThat(emptyFetch(POLL)).isGreaterThanOrEqualTo(POLL.minus(GRAIN));
  }

  @Test
  @DisplayName("TCK-POLL-03 no fetch waits longer than it may")
  void upperBound() {
    Duration bound = Duration.ofMillis(500);
    assertThat(emptyFetch(Duration.ofMillis(300))).isLessThan(bound);
    assertThat(emptyWorkFetch(Duration.ofMillis(300))).isLessThan(bound);
  }

  @Test
  @Needs.ShortPoll
  @DisplayName("TCK-POLL-04 a short poll for an activity returns at once")
  void shortPollForWork() {
    assertThat(emptyWorkFetch(POLL)).isLessThan(fixture().shortPollThreshold());
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-05 a long poll for an activity waits for its timeout")
  void longPollForWork() {
    assertThat(emptyWorkFetch(POLL)).isGreaterThanOrEqualTo(POLL.minus(GRAIN));
  }

  @Test
  @DisplayName("TCK-POLL-09 a fetch that may not wait returns at once")
  void noWait() {
    assertThat(emptyFetch(Duration.ZERO)).isLessThan(fixture().shortPollThreshold());
    assertThat(emptyWorkFetch(Duration.ZERO)).isLessThan(fixture().shortPollThreshold());
  }

  @Test
  @DisplayName("TCK-POLL-10 a waiting fetch ends soon when interrupted or closed, without a lock")
  void ended() throws InterruptedException {
    endsWhenInterrupted(() -> fetch(LONG, provider));
    endsWhenInterrupted(() -> workFetch(LONG, provider));
    start("x");
    act("x", 2);
    assertThat(fetched("x").attemptCount()).isEqualTo(1);
    assertThat(work(2).attemptCount()).isEqualTo(1);

    endsWhenClosed();
  }

  private static void endsWhenInterrupted(Callable<Optional<?>> fetch) throws InterruptedException {
    var waiting = new FutureTask<>(fetch);
    Thread thread = Thread.ofVirtual().start(waiting);
    SystemTime.sleep(Duration.ofMillis(200));
    var elapsed = SystemTime.stopwatch();
    thread.interrupt();

    assertThat(thread.join(LONG)).as("the interrupted fetch has ended").isTrue();

    assertThat(elapsed.get()).isLessThan(SECOND);
    if (waiting.state() == Future.State.SUCCESS) {
      assertThat(waiting.resultNow().isEmpty()).as("nothing was fetched").isTrue();
    } else {
      Throwable end = waiting.exceptionNow();
      assertThat(end)
          .matches(e -> e instanceof InterruptedException || ((ProviderException) e).retryable());
    }
  }

  private void endsWhenClosed() {
    Future<Optional<?>> turn = race().start(() -> fetch(LONG, provider));
    Future<Optional<?>> activity = race().start(() -> workFetch(LONG, provider));
    SystemTime.sleep(Duration.ofMillis(200));
    var elapsed = SystemTime.stopwatch();
    provider.close();

    for (Future<Optional<?>> waiting : List.of(turn, activity)) {
      Race.Outcome<Optional<?>> outcome = Race.outcome(waiting);
      ProviderException failure = outcome.failure();
      assertThat(failure == null ? outcome.get().isEmpty() : failure.retryable()).isTrue();
    }
    assertThat(elapsed.get()).isLessThan(SECOND);
    assertThat(failure(() -> poke("x")).retryable()).as("calls after close").isTrue();
  }

  private static Optional<?> fetch(Duration poll, Provider handle) throws InterruptedException {
    return handle.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, poll));
  }

  private static Optional<?> workFetch(Duration poll, Provider handle) throws InterruptedException {
    return handle.fetchWorkItem(WorkFetch.of(LOCK, poll));
  }

  private Duration emptyFetch(Duration poll) {
    var elapsed = SystemTime.stopwatch();
    assertThat(fetch(provider, OrchestrationFetch.of(LOCK, poll))).isEmpty();
    return elapsed.get();
  }

  private Duration emptyWorkFetch(Duration poll) {
    var elapsed = SystemTime.stopwatch();
    assertThat(wfetch(provider, WorkFetch.of(LOCK, poll))).isEmpty();
    return elapsed.get();
  }
}
