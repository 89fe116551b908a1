package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.KvEntry;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.QueueRoom;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** COPY: whole instances are taken out of a store and put into another. */
@Needs.Management
public abstract class TransferTck extends TransferSteps {
  /** For subclasses. */
  protected TransferTck() {}

  // Everything arrives

  /** Instances in every state. */
  private void populate() {
    createCompleted("done");
    create("failed");
    fail("failed");
    create("parent");
    createCompletedChild("child-done", "parent");
    createChild("child", "parent");
    tick();
    start("loop");
    ack(
        fetched("loop"),
        TurnCommit.events(
                1,
                List.of(Events.started(first("loop"))),
                identity().withPinnedVersion(Semver.of(1, 2, 3)))
            .withWorkerItems(List.of(Items.activity("loop", 7))));
    change("loop", new EventKind.KeyValueSet("old", "1", Events.STAMP.at()));
    change("loop", new EventKind.KeyValueSet("gone", "2", Events.STAMP.at()));
    continueAsNew("loop", 2);
    carryOn("loop", 3);
    change(
        "loop",
        new EventKind.KeyValueSet("new", "3 \"quoted\" \u00fc", Events.STAMP.at()),
        new EventKind.KeyValueCleared("gone"),
        new EventKind.CustomStatusUpdated("half"));
    change("loop", new EventKind.CustomStatusUpdated("two thirds"));
    tick();
    endForContinue("child");
    enqueue(Items.continueAsNew("child"));
    enqueue(Items.timer("parent", 5, now().plus(timeout(3))));
    poke("parent");
    enqueue(Items.message("loop", "one"));
    enqueue(Items.message("loop", "two"), timeout(2));
    enqueue(Items.start("not begun"), timeout(2));
    provider.enqueueForWorker(
        Items.activity(key("parent", 9), new ActivityRouting("session", "gpu")));
  }

  /** Continues as new with messages carried over. */
  private void carryOn(String instance, long execution) {
    endForContinue(instance);
    enqueue(Items.continueAsNew(instance));
    ExecutionKey key = new ExecutionKey(instance, execution);
    Event start = Events.started(key, "2.0.0", List.of(new CarriedEvent("mailbox", "a")));
    ack(fetched(instance), TurnCommit.events(execution, List.of(start), identity()));
  }

  @Test
  @DisplayName("TCK-COPY-01 everything arrives as it was, also by way of another kind of store")
  void everything() {
    populate();
    catchUp();
    try (Provider memory = MemoryProvider.create(source::now)) {
      copy(source, memory);
      same(source, memory);
      copy(memory, target);
    }
    same(source, target);
    for (String id : admin().listInstances()) {
      List<Function<Provider, Object>> reads =
          List.of(
              store -> store.read(id),
              store -> store.status(id),
              store -> store.customStatus(id, 0),
              store -> store.kvAllValues(id),
              store -> store.instanceStats(id).map(stats -> stats.queuePendingCount()),
              store -> admin(store).instanceInfo(id),
              store -> admin(store).listExecutions(id, 0, ALL),
              store -> Set.copyOf(admin(store).listChildren(id)),
              store -> Set.copyOf(admin(store).instanceTree(id)));
      for (Function<Provider, Object> read : reads) {
        assertThat(read.apply(target)).as(id).isEqualTo(read.apply(source));
      }
    }
    assertThat(admin(target).systemMetrics()).isEqualTo(admin().systemMetrics());
    assertThat(admin(target).queueDepths()).isEqualTo(admin().queueDepths());
    assertThat(admin(target).waitingWork(ALL, ALL)).isEqualTo(admin().waitingWork(ALL, ALL));
    assertThat(admin(target).listInstances())
        .containsExactlyInAnyOrderElementsOf(admin().listInstances());
  }

  @Test
  @DisplayName("TCK-COPY-02 reading changes nothing and locks nothing")
  void readingIsHarmless() {
    populate();
    List<Object> before = stored(source, "loop");
    copy(source, target);
    assertThat(stored(source, "loop")).isEqualTo(before);
    assertThat(admin().queueDepths().orchestrator().locked()).isZero();
    assertThat(admin().queueDepths().worker().locked()).isZero();
    assertThat(of(source).readInstance("nobody")).isEmpty();
    assertThat(of(source).readEvents(first("nobody"), 0, ALL)).isEmpty();
  }

  @Test
  @DisplayName("TCK-COPY-03 a long history arrives whole, in pages")
  void longHistory() {
    create("x");
    provider.appendWithExecution(first("x"), Events.scheduled(first("x"), 2, 700));
    move();
    assertThat(provider.read("x")).hasSize(700).isEqualTo(source.read("x"));
    assertThat(of(target).readEvents(first("x"), 10, 3))
        .extracting(InstanceSnapshot.EventRow::id)
        .containsExactly(11L, 12L, 13L);
  }

  // What is there already

  @Test
  @DisplayName("TCK-COPY-04 an id that is there is refused, and nothing is changed")
  void existing() {
    createCompleted("y");
    create("x");
    poke("x");
    provider = target;
    create("x");
    enqueue(Items.raised("y", "early"));
    List<Object> x = stored(target, "x");
    List<Object> y = stored(target, "y");
    assertThat(copy(source, target, "x")).isFalse();
    assertThat(copy(source, target, "y")).isFalse();
    assertThat(stored(target, "x")).isEqualTo(x);
    assertThat(stored(target, "y")).isEqualTo(y);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-COPY-05 an instance whose events are gone is not written at all")
  void eventsGone() {
    createCompleted("x");
    InstanceSnapshot snapshot = present(of(source).readInstance("x"));
    fails(
        Kind.CONTENTION,
        () -> of(target).writeInstance(snapshot, (execution, after, limit) -> List.of()));
    assertThat(of(target).readInstance("x")).isEmpty();
    assertThat(ids(target)).isEmpty();
    move();
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-COPY-06 what is queued and cannot be decoded is told, not copied")
  void damaged() {
    create("x");
    poke("x");
    fixture().corruptMessage("x", QueueName.ORCHESTRATOR);
    act("y", 1);
    fixture().corruptMessage("y", QueueName.WORKER);
    fails(Kind.CORRUPT_DATA, () -> of(source).readInstance("x"));
    fails(Kind.CORRUPT_DATA, () -> of(source).readInstance("y"));
  }

  @Test
  @Needs.Damage
  @Needs.UnknownFields
  @DisplayName("TCK-COPY-07 stored text is carried over as it is, whether it is understood or not")
  void foreignText() {
    createCompleted("damaged");
    fixture().corruptHistory("damaged", HistoryDamage.NOT_PARSEABLE);
    createWith("x", List.of(Items.activity("x", 1)));
    poke("x");
    fixture().addUnknownFields("x");
    move();
    fails(Kind.CORRUPT_DATA, () -> provider.read("damaged"));
    drain(fetched("x"));
    assertThat(work(1).key()).isEqualTo(key("x", 1));
  }

  @Test
  @Needs.Windows
  @DisplayName("TCK-COPY-60 full queues, pins and the order of messages arrive")
  void fullQueues() {
    MailboxRules rules = MailboxRules.FIRST.with("mailbox", QueueRoom.NONE);
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
                1,
                List.of(Events.started(first("x"))),
                identity().withPinnedVersion(Semver.of(1, 2, 3)))
            .withMailboxes(rules.with("two", QueueRoom.of(2))));
    List<WorkItem> mail = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      mail.add(Items.message("x", "m" + i));
      mail.add(new WorkItem.QueueMessage("x", "two", "t" + i));
    }
    mail.forEach(this::enqueue);
    LockedOrchestration first = fetched("x");
    ack(first, TurnCommit.nothing(1).withMailboxes(rules.with("two", QueueRoom.of(1))));
    move();
    same(source, target);
    assertThat(admin().instanceInfo("x").code().pin()).isEqualTo(ExecutionPin.ofStored("1.2.3"));
    LockedOrchestration second = fetched("x");
    assertThat(messages(second)).containsExactly(mail.get(5));
    ack(second, TurnCommit.nothing(1).withMailboxes(rules.with("two", QueueRoom.NONE)));
    enqueue(Items.message("x", "m4"));
    nothingToFetch();
    poke("x");
    drain(fetched("x"));
    assertThat(messages(fetched("x")))
        .containsExactly(
            mail.get(0),
            mail.get(2),
            mail.get(4),
            mail.get(6),
            mail.get(7),
            Items.message("x", "m4"));
  }

  // Locks

  @Test
  @DisplayName("TCK-COPY-08 a locked instance arrives free, and its attempts are counted")
  void lockedInstance() {
    create("x");
    poke("x");
    LockedOrchestration once = fetched("x");
    provider.abandonOrchestrationItem(once.lockToken(), Duration.ZERO, false);
    LockedOrchestration held = fetched("x");
    enqueue(Items.raised("x", "late"));
    copy(source, target);
    provider = target;
    LockedOrchestration free = fetched("x");
    assertThat(free.attemptCount()).isEqualTo(3);
    assertThat(messages(free))
        .containsExactly(Items.raised("x", "poke"), Items.raised("x", "late"));
    lost(() -> drain(held));
    drain(free);
    nothingToFetch();
    provider = source;
    drain(held);
  }

  @Test
  @DisplayName("TCK-COPY-09 a locked activity arrives free, and its attempts are counted")
  void lockedActivity() {
    create("x");
    act("x", 1);
    LockedWork held = work(1);
    copy(source, target);
    provider = target;
    assertThat(work(1).attemptCount()).isEqualTo(2);
    lost(() -> provider.ackWorkItem(held.lockToken(), null));
    provider = source;
    provider.ackWorkItem(held.lockToken(), null);
  }

  @Test
  @DisplayName("TCK-COPY-10 a session that somebody owns is anybody's in the copy")
  void session() {
    bind("s", 1, 2);
    serves("owner", 1);
    copy(source, target);
    provider = target;
    serves("another", 1);
    serves("another", 2);
    nothingFor("owner");
  }

  // Time and order

  @Test
  @DisplayName("TCK-COPY-11 what is delayed or rests stays so for as long as it would have")
  void delays() {
    create("x");
    enqueue(Items.timer("x", 5, now().plus(timeout(2))));
    create("rests");
    poke("rests");
    provider.abandonOrchestrationItem(fetched("rests").lockToken(), timeout(2), false);
    act("x", 1);
    provider.abandonWorkItem(work(1).lockToken(), timeout(2), false);
    move();
    nothingToFetch();
    noWork();
    targetFixture.advance(timeout(3));
    assertThat(List.of(fetched().item().instance(), fetched().item().instance()))
        .containsExactlyInAnyOrder("x", "rests");
    assertThat(work(1).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-COPY-12 what waits longest still comes first, whatever the ids")
  void order() {
    List<String> ids = List.of("m", "z", "a", "k", "b");
    for (String id : ids) {
      start(id);
      act(id, 1);
    }
    act("a", 2);
    enqueue(Items.raised("m", "second"));
    move();
    enqueue(Items.raised("m", "third"));
    act("m", 3);
    for (String id : ids) {
      LockedOrchestration locked = fetched(id);
      if (id.equals("m")) {
        assertThat(messages(locked))
            .containsExactly(
                Items.start("m"), Items.raised("m", "second"), Items.raised("m", "third"));
      }
    }
    assertThat(LongStream.range(0, 7).mapToObj(i -> work().key()))
        .containsExactly(
            key("m", 1),
            key("z", 1),
            key("a", 1),
            key("k", 1),
            key("b", 1),
            key("a", 2),
            key("m", 3));
  }

  // Going on

  @Test
  @DisplayName("TCK-COPY-13 what waits for a start waits on, and is delivered with it")
  void early() {
    enqueue(Items.raised("x", "early"));
    act("y", 1);
    move();
    nothingToFetch();
    assertThat(work(1).key()).isEqualTo(key("y", 1));
    start("x");
    assertThat(messages(fetched("x")))
        .containsExactly(Items.raised("x", "early"), Items.start("x"));
  }

  @Test
  @DisplayName("TCK-COPY-14 a start that has not come yet begins its instance in the copy")
  void delayedStart() {
    enqueue(Items.raised("x", "early"));
    enqueue(Items.start("x"), timeout(2));
    move();
    nothingToFetch();
    targetFixture.advance(timeout(3));
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).hasSize(2);
    ack(locked, firstTurn("x"));
    exists("x");
  }

  @Test
  @DisplayName("TCK-COPY-15 a copied instance runs on: history, values, outcomes, end")
  void runsOn() {
    createWith("x", List.of(Items.activity("x", 1)));
    change("x", new EventKind.KeyValueSet("k", "1", Events.STAMP.at()));
    continueAsNew("x", 2);
    change(
        "x",
        new EventKind.KeyValueSet("k", "2", Events.STAMP.at()),
        new EventKind.CustomStatusUpdated("half"));
    move();
    provider.ackWorkItem(work(1).lockToken(), Items.completed("x", 1));
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(new ExecutionKey("x", 2));
    assertThat(history(locked)).isEqualTo(source.read("x"));
    assertThat(values(locked)).containsExactly(Map.entry("k", new KvEntry("1", Events.STAMP.at())));
    assertThat(messages(locked)).containsExactly((WorkItem) Items.completed("x", 1));
    ack(
        locked,
        append(
            locked,
            identity().withStatus(ExecutionStatus.COMPLETED, "out"),
            new EventKind.CustomStatusUpdated("whole"),
            new EventKind.OrchestrationCompleted("out")));
    assertThat(provider.kvAllValues("x")).containsEntry("k", "2");
    assertThat(present(provider.customStatus("x", 0)).version()).isEqualTo(2);
    assertThat(present(provider.status("x")).status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(admin().systemMetrics().completedInstances()).isEqualTo(1);
    assertThat(admin().deleteInstance("x", false).eventsDeleted()).isEqualTo(8);
  }

  @Test
  @DisplayName("TCK-COPY-16 instances that no commit has named arrive, too")
  void unnamed() {
    Instant before = now();
    provider.appendWithExecution(first("x"), List.of(Events.started(first("x"))));
    poke("x");
    move();
    assertThat(admin().waitingWork(ALL, 1)).isEqualTo(admin(source).waitingWork(ALL, 1));
    assertThat(provider.status("x")).isEmpty();
    LockedOrchestration locked = fetched("x");
    assertThat(history(locked)).hasSize(1);
    ack(locked, append(locked, identity(), new EventKind.CustomStatusUpdated("s")));
    assertThat(admin().instanceInfo("x").times().createdAt()).isAfterOrEqualTo(before);
  }
}
