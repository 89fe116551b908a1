package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import io.duroxide.provider.Sending.Opening;
import io.duroxide.provider.Sending.Rule;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: what clients send is checked, and ends wait for mailboxes. */
public abstract class CheckedSendTck extends ProviderTck {
  private static final Duration HOUR = Duration.ofHours(1);

  /** For subclasses. */
  protected CheckedSendTck() {}

  private SendAnswer send(WorkItem message) {
    return provider.send(Sending.of(message, OrphanQueuePolicy.DROP));
  }

  private SendAnswer hold(WorkItem message) {
    return provider.send(Sending.of(message, OrphanQueuePolicy.HOLD));
  }

  private SendAnswer open(Rule rule, Duration delay, String... data) {
    List<WorkItem> messages = new ArrayList<>();
    for (String each : data) {
      messages.add(Items.message("x", each));
    }
    return provider.send(Sending.of(new Opening(Items.start("x"), delay, rule), messages));
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a message for an instance that runs is accepted")
  void accepted() {
    create("x");

    assertThat(send(Items.message("x", "a"))).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(send(Items.raised("x", "b"))).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(send(Items.cancel("x"))).isEqualTo(SendAnswer.ACCEPTED);

    assertThat(messages(fetched("x")))
        .containsExactly(Items.message("x", "a"), Items.raised("x", "b"), Items.cancel("x"));
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a message for one that has ended is refused and nothing is stored")
  void ended() {
    create("x");
    complete("x");
    create("y");
    fail("y");

    assertThat(send(Items.message("x", "a"))).isEqualTo(SendAnswer.ENDED);
    assertThat(hold(Items.message("x", "b"))).isEqualTo(SendAnswer.ENDED);
    assertThat(hold(Items.cancel("y"))).isEqualTo(SendAnswer.ENDED);

    nothingToFetch();
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 an instance between two executions has not ended")
  void betweenExecutions() {
    create("x");
    endForContinue("x");

    assertThat(send(Items.message("x", "a"))).isEqualTo(SendAnswer.ACCEPTED);
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a message for an unknown instance is refused and nothing is stored")
  void unknown() {
    assertThat(send(Items.message("x", "a"))).isEqualTo(SendAnswer.UNKNOWN);

    start("x");
    assertThat(messages(fetched("x"))).containsExactly(Items.start("x"));
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a message that is to be held waits for its instance")
  void held() {
    assertThat(hold(Items.raised("x", "a"))).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(hold(Items.cancel("x"))).isEqualTo(SendAnswer.ACCEPTED);
    nothingToFetch();
    start("x");

    assertThat(messages(fetched("x")))
        .containsExactly(Items.raised("x", "a"), Items.cancel("x"), Items.start("x"));
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 messages that wait do not make an instance known")
  void waitingIsNotKnown() {
    hold(Items.raised("x", "a"));

    assertThat(send(Items.message("x", "b"))).isEqualTo(SendAnswer.UNKNOWN);
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a start that is queued or delayed makes its instance known")
  void queuedStart() {
    start("x");
    enqueue(Items.start("y"), HOUR);

    assertThat(send(Items.message("x", "a"))).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(send(Items.message("y", "b"))).isEqualTo(SendAnswer.ACCEPTED);

    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.start("x"), Items.message("x", "a"));
    ack(locked, firstTurn("x"));
    nothingToFetch();
    advance(HOUR);
    assertThat(messages(fetched("y"))).contains(Items.start("y"), Items.message("y", "b"));
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a start with messages makes an instance, with a delay later")
  void opened() {
    assertThat(open(Rule.JOIN, HOUR, "a", "b")).isEqualTo(SendAnswer.ACCEPTED);
    nothingToFetch();
    advance(HOUR);

    assertThat(messages(fetched("x")))
        .contains(Items.start("x"), Items.message("x", "a"), Items.message("x", "b"))
        .hasSize(3);
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a start that joins leaves its messages to what runs, and only to that")
  void joins() {
    create("x");
    assertThat(open(Rule.JOIN, Duration.ZERO, "a")).isEqualTo(SendAnswer.ACCEPTED);
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.message("x", "a"));
    ack(
        locked,
        next(
            locked,
            new EventKind.OrchestrationCompleted("done"),
            identity().withStatus(ExecutionStatus.COMPLETED, "done")));

    assertThat(open(Rule.JOIN, Duration.ZERO, "b")).isEqualTo(SendAnswer.ENDED);
    nothingToFetch();
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 a start that must be new finds what is queued, runs or has ended")
  void mustBeNew() {
    assertThat(open(Rule.NEW, Duration.ZERO, "a")).isEqualTo(SendAnswer.ACCEPTED);
    assertThat(open(Rule.NEW, Duration.ZERO, "b")).isEqualTo(SendAnswer.EXISTS);
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.start("x"), Items.message("x", "a"));
    ack(locked, firstTurn("x"));
    assertThat(open(Rule.NEW, Duration.ZERO, "c")).isEqualTo(SendAnswer.EXISTS);
    complete("x");
    assertThat(open(Rule.NEW, Duration.ZERO, "d")).isEqualTo(SendAnswer.EXISTS);
    nothingToFetch();
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-44 what no store takes is refused whoever it is for")
  void invalid() {
    WorkItem nameless = new WorkItem.QueueMessage("x", "", "data");

    fails(Kind.INVALID_INPUT, () -> send(nameless));
  }

  /** The last turn of an instance that was fetched, which needs these queues to be empty. */
  private static TurnCommit lastTurn(LockedOrchestration locked, String... queues) {
    return next(
            locked,
            new EventKind.OrchestrationCompleted("done"),
            identity().withStatus(ExecutionStatus.COMPLETED, "done"))
        .withMustBeEmpty(List.of(queues));
  }

  private boolean commits(LockedOrchestration locked, TurnCommit commit) {
    TurnSource source = new TurnSource.Fetched(locked.lockToken());
    return provider.commitTurn(source, commit, WorkClaim.NONE).isPresent();
  }

  @Test
  @DisplayName("TCK-QUEUE-45 an end is refused if a named queue got a message, and the lock stays")
  void refusedEnd() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    enqueue(Items.message("x", "a"));

    assertThat(commits(locked, lastTurn(locked, "other", "mailbox"))).isFalse();

    assertThat(provider.status("x").orElseThrow().status()).isEqualTo(ExecutionStatus.RUNNING);
    assertThat(provider.read("x")).hasSize(1);
    nothingToFetch();
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, true);
    LockedOrchestration again = fetched("x");
    assertThat(again.attemptCount()).isEqualTo(1);
    assertThat(messages(again)).containsExactly(Items.raised("x", "poke"), Items.message("x", "a"));
    assertThat(commits(again, lastTurn(again, "mailbox"))).isTrue();
    assertThat(provider.status("x").orElseThrow().status()).isEqualTo(ExecutionStatus.COMPLETED);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-45 the holder of a refused end may commit something else")
  void otherCommit() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    enqueue(Items.message("x", "a"));
    assertThat(commits(locked, lastTurn(locked, "mailbox"))).isFalse();

    assertThat(commits(locked, lastTurn(locked, "other"))).isTrue();
    assertThat(messages(fetched("x"))).containsExactly(Items.message("x", "a"));
  }

  @Test
  @DisplayName("TCK-QUEUE-45 other messages and other queues refuse no end")
  void otherMail() {
    create("x");
    create("y");
    poke("x");
    LockedOrchestration locked = fetched("x");
    poke("x");
    enqueue(new WorkItem.QueueMessage("x", "other", "a"));
    enqueue(new WorkItem.QueueMessage("x", "mailbo", "b"));
    enqueue(Items.message("y", "c"));

    assertThat(commits(locked, lastTurn(locked, "mailbox", "mailboxes"))).isTrue();
  }

  @Test
  @DisplayName("TCK-QUEUE-45 a message that is not visible yet refuses no end")
  void hiddenMail() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    enqueue(Items.message("x", "a"), HOUR);

    assertThat(commits(locked, lastTurn(locked, "mailbox"))).isTrue();
  }

  @Test
  @DisplayName("TCK-QUEUE-45 messages that a full batch left out refuse an end")
  void fullBatch() {
    create("x");
    List<WorkItem> many = new ArrayList<>();
    for (int i = 0; i < 1030; i++) {
      many.add(Items.message("x", "m" + i));
    }
    provider.enqueueForOrchestrator(many);
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).hasSize(1024);

    assertThat(commits(locked, lastTurn(locked, "mailbox"))).isFalse();
    ack(locked, TurnCommit.nothing(1));
    LockedOrchestration rest = fetched("x");
    assertThat(messages(rest)).hasSize(6);
    assertThat(commits(rest, lastTurn(rest, "mailbox"))).isTrue();
  }

  @Test
  @DisplayName("TCK-QUEUE-45 a turn after an activity is refused as well")
  void afterActivity() {
    var tip = waiting("x");
    var work = work(2);
    enqueue(Items.message("x", "a"));
    TurnCommit end =
        TurnCommit.events(
                1,
                List.of(Events.of(first("x"), 3, new EventKind.OrchestrationCompleted("done"))),
                identity().withStatus(ExecutionStatus.COMPLETED, "done"))
            .withMustBeEmpty(List.of("mailbox"));

    assertThat(
            provider.commitTurn(
                new TurnSource.AfterActivity(work.lockToken(), first("x"), tip),
                end,
                WorkClaim.NONE))
        .isEmpty();
    assertThat(messages(fetched("x"))).containsExactly(Items.message("x", "a"));
  }

  @Test
  @Needs.CheckedSends
  @DisplayName("TCK-QUEUE-45 EN-083 of a message and an end that needs its mailbox empty one wins")
  void messageAgainstEnd() {
    int rounds = scaled(10_000);
    int accepted = 0;
    for (int i = 0; i < rounds; i++) {
      String id = "x" + i;
      create(id);
      poke(id);
      LockedOrchestration locked = fetched(id);
      TurnCommit end = lastTurn(locked, "mailbox");
      List<Callable<Object>> both =
          List.of(() -> send(Items.message(id, "a")), () -> commits(locked, end));
      var outcomes = race().together(both);

      boolean isAccepted = outcomes.get(0).get() == SendAnswer.ACCEPTED;
      assertThat(outcomes.get(1).get()).as("the end of %s", id).isEqualTo(!isAccepted);
      if (isAccepted) {
        accepted++;
        provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, true);
        LockedOrchestration again = fetched(id);
        assertThat(messages(again)).contains(Items.message(id, "a"));
        assertThat(commits(again, lastTurn(again, "mailbox"))).isTrue();
      }
    }
    report("accepted", accepted + " of " + rounds);
  }
}
