package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.provider.ProviderException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A step that finds nobody at the store")
class SpareLaneTest {
  private static final Duration LOCK = Duration.ofMinutes(5);

  private final TestClock clock = new TestClock();
  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final FaultySource source = new FaultySource(premises.pool());
  private final PostgresProvider store =
      PostgresProvider.open(source.asSource(), premises.options().withClock(clock));
  private final Chain chain = new Chain(store, "x", LOCK);

  @BeforeEach
  void opened() {
    source.forgetUsers();
  }

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  /** A lane that has just answered may not rest yet; the steps after that are alone. */
  private Chain.Link alone(Chain.Link begun) {
    Chain.Link link = begun;
    for (int i = 0; i < 1000 && source.usesBy(Thread.currentThread()) == 0; i++) {
      link = chain.next(link);
    }
    return link;
  }

  /** A step on a thread of its own; the future tells whether that was interrupted at the end. */
  private static final class Step {
    private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    private final Thread thread;

    Step(Chain chain, Chain.Link link, Consumer<Thread> first) {
      this.thread =
          Thread.ofVirtual()
              .start(() -> {
                first.accept(Thread.currentThread());
                try {
                  chain.next(link);
                  interrupted.complete(Thread.currentThread().isInterrupted());
                } catch (RuntimeException refusal) {
                  interrupted.completeExceptionally(refusal);
                }
              });
    }
  }

  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND wait_event_type = 'Lock'
      """;

  private static final String KEEP =
      """
      SELECT FROM @.instance WHERE id = 'x' FOR UPDATE
      """;

  /** Something that happens while the step of an instance is kept from it. */
  @FunctionalInterface
  private interface Meanwhile {
    void happens(Step step);
  }

  private Step hinder(Chain.Link link, Meanwhile meanwhile) throws SQLException {
    try (Connection other = Server.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(Schema.named(premises.schema()).in(KEEP));
      Step step = new Step(chain, link, thread -> {});
      Awaitility.await().until(() -> surgery.number(WAITING, premises.schema()) > 0);
      meanwhile.happens(step);
      other.rollback();
      return step;
    }
  }

  @Test
  @DisplayName("goes there on the thread of its caller, and nothing else does")
  void byItself() {
    Chain.Link link = chain.begin();
    assertThat(source.usesBy(Thread.currentThread())).isZero();
    link = alone(link);

    assertThat(source.usesBy(Thread.currentThread())).isOne();
    assertThat(link.last()).isGreaterThan(2);
    assertThat(store.read("x")).hasSize((int) link.last());
  }

  @Test
  @DisplayName("is committed once although its caller is interrupted, who stays so")
  void interrupted() throws SQLException {
    Chain.Link link = alone(chain.begin());
    Step step = hinder(link, waiting -> waiting.thread.interrupt());

    assertThat(step.interrupted.join()).isTrue();
    assertThat(source.usesBy(step.thread)).isEqualTo(2);
    assertThat(store.read("x")).hasSize((int) link.last() + 2);
  }

  @Test
  @DisplayName("does not break its connection if its caller was interrupted before")
  void interruptedBefore() {
    Chain.Link link = alone(chain.begin());
    Step step = new Step(chain, link, Thread::interrupt);

    assertThat(step.interrupted.join()).isTrue();
    assertThat(source.usesBy(step.thread)).isOne();
  }

  @Test
  @DisplayName("leaves the lanes to others while it is there")
  void beside() throws SQLException {
    Chain.Link link = alone(chain.begin());
    Chain other = new Chain(store, "y", LOCK);
    Step step = hinder(link, waiting -> other.chain(2));

    assertThat(step.interrupted.join()).isFalse();
    assertThat(store.read("y")).hasSize(6);
  }

  @Test
  @DisplayName("is waited for when the store closes, and cut off if it hangs")
  void closed() throws SQLException {
    Chain.Link link = alone(chain.begin());
    Step step =
        hinder(
            link,
            waiting -> {
              store.close();
              assertThat(waiting.interrupted).failsWithin(Duration.ofSeconds(10));
            });

    assertThatThrownBy(step.interrupted::join).hasCauseInstanceOf(ProviderException.class);
  }
}
