package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueRoom;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: how much of a mailbox is delivered is what the last commit had room for. */
@Needs.Windows
public abstract class WindowTck extends ProviderTck {
  private static final String FULL = "full";
  private static final MailboxRules CLOSED = MailboxRules.FIRST.with(FULL, QueueRoom.NONE);

  /** For subclasses. */
  protected WindowTck() {}

  private static WorkItem mail(String queue, String data) {
    return new WorkItem.QueueMessage("x", queue, data);
  }

  private static List<WorkItem> mails(String queue, int from, int to) {
    List<WorkItem> messages = new ArrayList<>();
    for (int i = from; i < to; i++) {
      messages.add(mail(queue, "m" + i));
    }
    return messages;
  }

  /** An instance whose last commit has these rules. */
  private void createWith(MailboxRules rules) {
    start("x");
    ack(fetched("x"), firstTurn("x").withMailboxes(rules));
  }

  /** Consumes a batch, and has these rules from then on. */
  private void drain(LockedOrchestration locked, MailboxRules rules) {
    long execution = locked.item().execution().executionId();
    ack(locked, TurnCommit.nothing(execution).withMailboxes(rules));
  }

  private void pokeWith(MailboxRules rules) {
    poke("x");
    drain(fetched("x"), rules);
  }

  /** Consumes the next batch; what was in it. */
  private List<WorkItem> drained(MailboxRules rules) {
    LockedOrchestration locked = fetched("x");
    drain(locked, rules);
    return messages(locked);
  }

  @Test
  @DisplayName("TCK-QUEUE-64 messages of a full queue make nobody ready and stay; others come")
  void full() {
    createWith(CLOSED);
    provider.enqueueForOrchestrator(mails(FULL, 0, 3));
    nothingToFetch();
    WorkItem other = mail("other", "o");
    enqueue(other);
    enqueue(mail(FULL, "m3"));
    poke("x");
    enqueue(Items.cancel("x"));

    assertThat(drained(CLOSED))
        .containsExactly(other, Items.raised("x", "poke"), Items.cancel("x"));
    nothingToFetch();
  }

  @Test
  @DisplayName(
      "TCK-QUEUE-64 a queue that is opened delivers in order, as much as there is room for")
  void opened() {
    createWith(CLOSED);
    List<WorkItem> sent = mails(FULL, 0, 6);
    provider.enqueueForOrchestrator(sent);
    MailboxRules two = MailboxRules.FIRST.with(FULL, QueueRoom.of(2));

    pokeWith(two);

    assertThat(drained(two)).isEqualTo(sent.subList(0, 2));
    enqueue(mail(FULL, "later"));
    assertThat(drained(CLOSED)).isEqualTo(sent.subList(2, 4));
    nothingToFetch();
    pokeWith(MailboxRules.OPEN);
    List<WorkItem> rest = new ArrayList<>(sent.subList(4, 6));
    rest.add(mail(FULL, "later"));
    assertThat(drained(MailboxRules.OPEN)).isEqualTo(rest);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-64 a queue is closed by a commit while its messages wait")
  void closedWhileWaiting() {
    createWith(MailboxRules.FIRST);
    poke("x");
    LockedOrchestration locked = fetched("x");
    provider.enqueueForOrchestrator(mails(FULL, 0, 2));

    drain(locked, CLOSED);

    nothingToFetch();
    pokeWith(MailboxRules.FIRST);
    assertThat(messages(fetched("x"))).isEqualTo(mails(FULL, 0, 2));
  }

  @Test
  @DisplayName("TCK-QUEUE-64 a room has bytes, and at least one message")
  void bytes() {
    createWith(MailboxRules.ofEach(new QueueRoom(9, 3_000)));
    List<WorkItem> sent = new ArrayList<>();
    for (int size : List.of(1_000, 1_000, 1_000, 9_000, 10)) {
      sent.add(mail("q", "x".repeat(size)));
    }
    provider.enqueueForOrchestrator(sent);
    MailboxRules rules = MailboxRules.ofEach(new QueueRoom(9, 3_000));

    assertThat(drained(rules)).isEqualTo(sent.subList(0, 2));
    assertThat(drained(rules)).isEqualTo(sent.subList(2, 3));
    assertThat(drained(rules)).isEqualTo(sent.subList(3, 4));
    assertThat(drained(rules)).isEqualTo(sent.subList(4, 5));
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-64 before its first commit an instance has the window of a beginner")
  void first() {
    List<WorkItem> sent = mails("q", 0, MailboxRules.FIRST_MESSAGES + 3);
    provider.enqueueForOrchestrator(sent);
    assertThat(
            fetch(
                provider,
                OrchestrationFetch.of(LOCK, Duration.ZERO).withOrphans(OrphanQueuePolicy.HOLD)))
        .isEmpty();
    start("x");

    LockedOrchestration locked = fetched("x");

    assertThat(messages(locked))
        .hasSize(MailboxRules.FIRST_MESSAGES + 1)
        .endsWith(Items.start("x"));
    assertThat(messages(locked).subList(0, MailboxRules.FIRST_MESSAGES))
        .isEqualTo(sent.subList(0, MailboxRules.FIRST_MESSAGES));
    ack(locked, firstTurn("x").withMailboxes(MailboxRules.FIRST));
    assertThat(messages(fetched("x")))
        .isEqualTo(sent.subList(MailboxRules.FIRST_MESSAGES, sent.size()));
  }

  @Test
  @DisplayName("TCK-QUEUE-64 what is beyond the room survives the commit and an abandon")
  void beyond() {
    createWith(MailboxRules.ofEach(QueueRoom.of(2)));
    List<WorkItem> sent = mails("q", 0, 4);
    provider.enqueueForOrchestrator(sent);
    LockedOrchestration given = fetched("x");
    enqueue(mail("q", "m4"));
    provider.abandonOrchestrationItem(given.lockToken(), Duration.ZERO, false);

    LockedOrchestration again = fetched("x");

    assertThat(again.attemptCount()).isEqualTo(2);
    assertThat(messages(again)).isEqualTo(sent.subList(0, 2));
    drain(again, MailboxRules.OPEN);
    LockedOrchestration rest = fetched("x");
    assertThat(messages(rest)).isEqualTo(mails("q", 2, 5));
    assertThat(rest.attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-QUEUE-64 a fetch of several serves one with too many messages and the next one")
  void several() throws InterruptedException {
    createWith(MailboxRules.ofEach(QueueRoom.of(2)));
    create("y");
    provider.enqueueForOrchestrator(mails("q", 0, 4));
    poke("y");

    assertThat(provider.fetchOrchestrationItems(OrchestrationFetch.of(LOCK, Duration.ZERO), 2))
        .extracting(locked -> messages(locked).size())
        .containsExactly(2, 1);
  }

  @Test
  @DisplayName("TCK-QUEUE-64 a message that was delayed waits for room when its time has come")
  void delayed() {
    createWith(CLOSED);
    enqueue(mail(FULL, "late"), timeout());
    letLocksExpire();
    nothingToFetch();

    pokeWith(MailboxRules.FIRST);

    assertThat(drained(MailboxRules.FIRST)).containsExactly(mail(FULL, "late"));
    enqueue(mail(FULL, "later"), timeout());
    nothingToFetch();
    letLocksExpire();
    assertThat(drained(CLOSED)).containsExactly(mail(FULL, "later"));
  }

  @Test
  @DisplayName("TCK-QUEUE-64 a message that an instance sends to itself waits for room too")
  void toItself() {
    createWith(CLOSED);
    poke("x");
    ack(
        fetched("x"),
        TurnCommit.nothing(1)
            .withMailboxes(CLOSED)
            .withOrchestratorItems(List.of(mail(FULL, "1"), mail("other", "2"))));

    assertThat(drained(CLOSED)).containsExactly(mail("other", "2"));
    nothingToFetch();
    pokeWith(MailboxRules.FIRST);
    assertThat(drained(MailboxRules.FIRST)).containsExactly(mail(FULL, "1"));
  }

  @Test
  @DisplayName("TCK-QUEUE-64 the turn after an activity is taken though a full queue has messages")
  void afterActivity() {
    if (provider.shortCuts().isEmpty()) {
      return;
    }
    start("x");
    LockedOrchestration locked = fetched("x");
    ack(
        locked,
        TurnCommit.events(
                1, List.of(Events.started(first("x")), Events.scheduled(first("x"), 2)), identity())
            .withWorkerItems(List.of(Items.activity("x", 2)))
            .withMailboxes(CLOSED));
    enqueue(mail(FULL, "1"));
    LockedWork work = work(2);
    TurnCommit commit =
        TurnCommit.events(
                1,
                List.of(Events.of(first("x"), 3, new EventKind.ActivityCompleted("done"))),
                identity())
            .withMailboxes(MailboxRules.FIRST);
    TurnSource source =
        new TurnSource.AfterActivity(
            work.lockToken(), first("x"), new CachedHistory.Tip(2, locked.lockToken()));

    assertThat(provider.commitTurn(source, commit, WorkClaim.NONE)).isPresent();

    assertThat(drained(CLOSED)).containsExactly(mail(FULL, "1"));
  }

  @Test
  @DisplayName(
      "TCK-QUEUE-65 what is beyond a window stays over continue-as-new, behind the carried")
  void continued() {
    createWith(MailboxRules.ofEach(QueueRoom.of(3)));
    List<WorkItem> sent = mails(FULL, 0, 7);
    provider.enqueueForOrchestrator(sent);
    LockedOrchestration last = fetched("x");
    assertThat(messages(last)).isEqualTo(sent.subList(0, 3));
    ack(
        last,
        next(
                last,
                new EventKind.OrchestrationContinuedAsNew("{}"),
                identity().withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}"))
            .withOrchestratorItems(List.of(Items.continueAsNew("x")))
            .withMailboxes(CLOSED));
    enqueue(mail(FULL, "m7"));

    LockedOrchestration begun = fetched("x");

    assertThat(messages(begun)).containsExactly(Items.continueAsNew("x"));
    ExecutionKey second = new ExecutionKey("x", 2);
    ack(begun, firstTurn(second).withMailboxes(CLOSED));
    nothingToFetch();
    pokeWith(MailboxRules.FIRST);
    assertThat(drained(MailboxRules.FIRST)).isEqualTo(mails(FULL, 3, 8));
  }

  @Test
  @Needs.Durable
  @DisplayName("TCK-QUEUE-64 rooms and what waits for them outlive the process")
  void reopened() {
    createWith(CLOSED);
    provider.enqueueForOrchestrator(mails(FULL, 0, 2));

    reopen();

    nothingToFetch();
    enqueue(mail(FULL, "m2"));
    pokeWith(MailboxRules.FIRST);
    assertThat(drained(MailboxRules.FIRST)).isEqualTo(mails(FULL, 0, 3));
  }

  @Test
  @Needs.Management
  @DisplayName(
      "TCK-QUEUE-64 messages without room are counted as waiting, and go with the instance")
  void counted() {
    createWith(CLOSED);
    provider.enqueueForOrchestrator(mails(FULL, 0, 3));

    assertThat(admin().queueDepths().orchestrator()).isEqualTo(new QueueDepth(0, 3, 0));
    assertThat(admin().waitingWork(10, 10)).isEmpty();

    admin().deleteInstance("x", true);
    assertThat(admin().queueDepths().orchestrator()).isEqualTo(QueueDepth.EMPTY);
    create("x");
    enqueue(mail(FULL, "new"));
    assertThat(messages(fetched("x"))).containsExactly(mail(FULL, "new"));
  }

  @Test
  @DisplayName("TCK-QUEUE-64 a commit without rules opens all queues: what has ended is drained")
  void ended() {
    createWith(CLOSED);
    provider.enqueueForOrchestrator(mails(FULL, 0, 70));

    complete("x");

    assertThat(messages(fetched("x"))).isEqualTo(mails(FULL, 0, 70));
  }
}
