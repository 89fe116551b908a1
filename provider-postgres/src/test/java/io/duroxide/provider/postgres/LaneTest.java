package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockTokens;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.SystemTime;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("A group of commands")
class LaneTest {
  private static final String ANYTHING = "anything";

  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final FaultySource source = new FaultySource(premises.pool());
  private final PostgresOptions options = premises.options();
  private final PostgresProvider provider = PostgresProvider.open(premises.pool(), options);
  private final Inbox inbox = new Inbox(10);
  private final LaneThread thread = thread();

  private LaneThread thread() {
    StoreClock clock = new StoreClock(null, SystemTime.nanos());
    Store store = new Store(source.asSource(), Schema.named(premises.schema()), clock, options);
    Node node = Node.create(clock, new Tokens(LockTokens.random()));
    return new LaneThread(
        store.threads(), new Lane(1, store, node, Rooms.create(clock)), inbox, () -> {});
  }

  @AfterEach
  void close() {
    thread.stop();
    thread.join();
    provider.close();
    premises.leave();
  }

  /** Those that wait before the lane begins are one group. */
  private void run(Command<?>... commands) throws InterruptedException {
    for (Command<?> command : commands) {
      inbox.put(command, () -> {});
    }
    thread.start();
  }

  private static WorkItem start(String instance) {
    return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null);
  }

  private static Send send(String instance) {
    return new Send(ANYTHING, List.of(NewMessage.of(ANYTHING, start(instance))), Duration.ZERO);
  }

  /** The first turn of an instance that is locked for it. */
  private CommitTurn turn(String instance) throws InterruptedException {
    provider.enqueueForOrchestrator(start(instance), Duration.ZERO);
    String lock =
        provider
            .fetchOrchestrationItem(
                OrchestrationFetch.of(Duration.ofMinutes(5), Duration.ofSeconds(10)))
            .orElseThrow()
            .lockToken();
    TurnCommit commit = FirstTurn.of(instance);
    return new CommitTurn(
        Tokens.turn(ANYTHING, lock), null, commit, TurnParts.of(ANYTHING, commit), List.of());
  }

  @Test
  @DisplayName("is done once and answered, although its first answer could not be read")
  void unreadable() throws InterruptedException {
    CommitTurn turn = turn("x");
    Send send = send("y");
    source.garble();
    run(turn, send);

    assertThat(answerOf(turn)).isPresent();
    assertThat(answerOf(send)).isTrue();
    assertThat(provider.read("x")).hasSize(1);
    assertThat(surgery.number("SELECT count(*) FROM @.message")).isOne();
  }

  /** From now on the store refuses to keep messages for this instance. */
  private void refuse(String instance) {
    surgery.update(
        "ALTER TABLE @.message ADD CONSTRAINT refused CHECK (payload NOT LIKE '%"
            + instance
            + "%')");
  }

  private static <T> T answerOf(Command<T> command) {
    StoreThreads threads =
        new StoreThreads("test", "lane", LoggerFactory.getLogger(LaneTest.class));
    return command.await(threads.callers());
  }

  private static Kind kindOf(Command<?> failing) {
    return catchThrowableOfType(ProviderException.class, () -> answerOf(failing)).kind();
  }

  @Test
  @DisplayName("fails for now if it is in doubt, whatever is wrong with one of them")
  void doubtful() throws InterruptedException {
    CommitTurn turn = turn("x");
    Send bad = send("bad");
    refuse("bad");
    source.arm(FaultPoint.BEFORE, FaultKind.CONNECTION_LOST);
    run(turn, bad);

    assertThat(kindOf(turn)).isEqualTo(Kind.UNAVAILABLE);
    assertThat(kindOf(bad)).isEqualTo(Kind.UNAVAILABLE);
  }

  @Test
  @DisplayName("is not in doubt before it was sent: only the bad one fails")
  void notSent() throws InterruptedException {
    CommitTurn turn = turn("x");
    Send bad = send("bad");
    refuse("bad");
    source.refuseOnce();
    run(turn, bad);

    assertThat(answerOf(turn)).isPresent();
    assertThat(kindOf(bad)).isEqualTo(Kind.UNKNOWN_PERMANENT);
    assertThat(provider.read("x")).hasSize(1);
  }
}
