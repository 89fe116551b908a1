package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Awaited;
import io.duroxide.api.Choice;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.TurnCommit;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Orchestrations that end only when their mail is read. */
class EndWhenReadTest extends EachStoreScenario {
  private static final Orchestration<String, String> READER =
      Orchestration.of("Reader", String.class, String.class);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);
  private static final EventQueue<String> STOP = EventQueue.of("stop", String.class);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Duration IDLE = Duration.ofMinutes(1);

  private OrphanQueuePolicy holding = OrphanQueuePolicy.DROP;

  /** Sends this once, while the first commit that ends an execution is on its way. */
  private DuroxideRuntime nodeWithMailAtTheEnd(
      Runnable mail, OrchestrationHandler<String, String> code) {
    AtomicInteger ends = new AtomicInteger();
    world.decorate(store -> {
      GatedStore gated = new GatedStore(store, true);
      gated.onCommit(
          new GatedStore.CommitHooks(
              commit -> {
                if (endsInstance(commit) && ends.getAndIncrement() == 0) {
                  mail.run();
                }
              },
              commit -> {}));
      return gated.provider();
    });
    return world.start(
        world.options().orphanQueuePolicy(holding),
        node ->
            node.activity(ECHO, (ctx, in) -> in).orchestration(READER, code).endsWhenRead(MAIL));
  }

  private static boolean endsInstance(TurnCommit commit) {
    ExecutionStatus status = commit.metadata().status();
    return status != null && status.endsInstance();
  }

  /** Reads until there was nothing for a while. */
  private static String readUntilIdle(OrchestrationContext ctx) {
    List<String> read = new ArrayList<>();
    while (ctx.dequeue(MAIL).await(IDLE) instanceof Awaited.Got<String> got) {
      read.add(got.value());
    }
    return String.join(",", read);
  }

  private void enqueue(String message) {
    world.client().enqueue("r", MAIL, message);
  }

  @Test
  @DisplayName("EN-086 a message that comes while an idle time-out ends the execution is read")
  void idle() {
    nodeWithMailAtTheEnd(() -> enqueue("late"), (ctx, in) -> readUntilIdle(ctx));
    world.client().startAndEnqueue(READER, "r", "", MAIL, List.of("early"));
    world.until(() -> world.events("r", EventKind.TimerCreated.class).size() == 2);

    world.advance(IDLE);
    world.until(() -> world.events("r", EventKind.QueueEventDelivered.class).size() == 2);
    world.advance(IDLE);

    assertThat(world.output("r")).isEqualTo("early,late");
  }

  @Test
  @DisplayName(
      "EN-086 a message that comes while a turn after an activity ends the execution is read")
  void afterAnActivity() {
    nodeWithMailAtTheEnd(
        () -> enqueue("late"),
        (ctx, in) -> {
          String said = ctx.call(ECHO, "said").await();
          Awaited<String> mail = ctx.dequeue(MAIL).await(Duration.ofMillis(1));
          return said + (mail instanceof Awaited.Got<String> got ? " " + got.value() : "");
        });
    world.client().start(READER, "r", "");
    world.until(() -> !world.events("r", EventKind.TimerCreated.class).isEmpty());
    world.advance(Duration.ofMillis(1));

    assertThat(world.output("r")).isEqualTo("said late");
  }

  @Test
  @DisplayName("EN-086 an end right after an activity waits for mail that the code reads")
  void stepThatEnds() {
    nodeWithMailAtTheEnd(
        () -> enqueue("late"),
        (ctx, in) -> {
          var step = ctx.call(ECHO, "said");
          return switch (ctx.select(ctx.dequeue(MAIL), step)) {
            case Choice.First<String, String> mail -> mail.value();
            case Choice.Second<String, String> said -> said.value();
          };
        });
    world.client().start(READER, "r", "");

    assertThat(world.output("r")).isEqualTo("late");
  }

  @Test
  @DisplayName(
      "EN-086 an instance that would begin and end in one turn takes in what came meanwhile")
  void newInstance() {
    AtomicInteger runs = new AtomicInteger();
    holding = OrphanQueuePolicy.HOLD;
    nodeWithMailAtTheEnd(
        () -> enqueue("early"),
        (ctx, in) -> {
          runs.incrementAndGet();
          return "nothing";
        });
    world.client().start(READER, "r", "");

    assertThat(world.output("r")).isEqualTo("nothing");
    assertThat(runs.get()).isGreaterThan(1);
    assertThat(world.events("r", EventKind.QueueEventDelivered.class)).hasSize(1);
  }

  @Test
  @DisplayName("EN-086 code says so at its end, and ends once everything is read")
  void saidByCode() {
    AtomicInteger ends = new AtomicInteger();
    world.decorate(store -> {
      GatedStore gated = new GatedStore(store, true);
      gated.onCommit(
          new GatedStore.CommitHooks(
              commit -> {
                if (endsInstance(commit) && ends.incrementAndGet() <= 3) {
                  enqueue("late" + ends.get());
                }
              },
              commit -> {}));
      return gated.provider();
    });
    world.start(node ->
        node.orchestration(
            READER,
            (ctx, in) -> {
              String read = readUntilIdle(ctx);
              ctx.endWhenRead(MAIL);
              return read;
            }));
    world.client().start(READER, "r", "");
    for (int timers = 1; timers <= 4; timers++) {
      int made = timers;
      world.until(() -> world.events("r", EventKind.TimerCreated.class).size() == made);
      world.advance(IDLE);
    }

    assertThat(world.output("r")).isEqualTo("late1,late2,late3");
  }

  @Test
  @DisplayName("EN-086 code that leaves its mail unread ends all the same")
  void unwanted() {
    nodeWithMailAtTheEnd(() -> enqueue("late"), (ctx, in) -> ctx.dequeue(STOP).await());
    world.client().startAndEnqueue(READER, "r", "", STOP, List.of("stop"));

    assertThat(world.output("r")).isEqualTo("stop");
  }

  @Test
  @DisplayName("EN-086 failures, cancels and continuations wait for no mail")
  void otherEnds() {
    Orchestration<String, String> failing = Orchestration.of("Failing", String.class, String.class);
    world.start(node ->
        node.orchestration(
                failing,
                (ctx, in) -> {
                  ctx.endWhenRead(MAIL);
                  ctx.dequeue(STOP).await();
                  throw new IllegalStateException("wrong");
                })
            .orchestration(
                READER,
                (ctx, in) -> {
                  ctx.endWhenRead(MAIL);
                  return ctx.dequeue(STOP).await();
                }));
    Client client = world.client();
    client.start(failing, "f", "");
    client.start(READER, "r", "");
    client.enqueue("f", MAIL, "unread");
    client.enqueue("r", MAIL, "unread");
    client.enqueue("f", STOP, "stop");
    client.cancel("r", "enough");

    assertThat(world.failure("f")).contains("wrong");
    assertThat(world.failure("r")).contains("enough");
  }

  /** Begins an instance with so many messages, more than its windows have room for. */
  private void beginWithMail(int messages) {
    List<WorkItem> all = new ArrayList<>();
    all.add(WorkItem.StartOrchestration.byClient("r", READER.name(), "", null, null));
    for (int i = 0; i < messages; i++) {
      all.add(new WorkItem.QueueMessage("r", MAIL.name(), "m"));
    }
    world.store().enqueueForOrchestrator(all);
  }

  private static void read(OrchestrationContext ctx, int messages) {
    for (int i = 0; i < messages; i++) {
      ctx.dequeue(MAIL).await();
    }
  }

  @Test
  @DisplayName("EN-086 mail that had no room holds up an end until the code has had more of it")
  void mailWithoutRoom() {
    int window = MailboxRules.FIRST_MESSAGES;
    world.start(node ->
        node.orchestration(
                READER,
                (ctx, in) -> {
                  read(ctx, window);
                  return "read";
                })
            .endsWhenRead(MAIL));
    beginWithMail(3 * window);

    assertThat(world.output("r")).isEqualTo("read");
    assertThat(world.events("r", EventKind.QueueEventDelivered.class)).hasSizeGreaterThan(window);
  }

  @Test
  @DisplayName("EN-086 so it does for an end right after an activity")
  void mailWithoutRoomAfterAnActivity() {
    int window = MailboxRules.FIRST_MESSAGES;
    world.start(node ->
        node.activity(ECHO, (ctx, in) -> in)
            .orchestration(
                READER,
                (ctx, in) -> {
                  String said = ctx.call(ECHO, "said").await();
                  read(ctx, 1);
                  return said;
                })
            .endsWhenRead(MAIL));
    beginWithMail(3 * window);

    assertThat(world.output("r")).isEqualTo("said");
    assertThat(world.events("r", EventKind.QueueEventDelivered.class)).hasSizeGreaterThan(window);
  }

  @Test
  @DisplayName("EN-086 a full batch is taken in if what had no room for it refuses the end")
  void fullBatch() {
    int withStart = 1_023;
    world.start(node ->
        node.orchestration(
                READER,
                (ctx, in) -> {
                  read(ctx, withStart);
                  return "read " + withStart;
                })
            .endsWhenRead(MAIL));
    beginWithMail(withStart + 77);

    assertThat(world.output("r")).isEqualTo("read 1023");
    assertThat(world.events("r", EventKind.QueueEventDelivered.class)).hasSize(withStart + 77);
  }

  @Test
  @DisplayName("EN-083 a message is read or refused while its instance ends, 10,000 times")
  void races() throws Exception {
    int races = mode == Mode.KEPT ? 10_000 : 1_000;
    world.start(node ->
        node.orchestration(
                READER,
                (ctx, in) -> {
                  List<String> read = new ArrayList<>();
                  while (ctx.select(ctx.dequeue(MAIL), ctx.dequeue(STOP))
                      instanceof Choice.First<String, String> mail) {
                    read.add(mail.value());
                  }
                  return String.join(",", read);
                })
            .endsWhenRead(MAIL));
    AtomicInteger accepted = new AtomicInteger();
    Semaphore underWay = new Semaphore(64);
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < races; i++) {
        String id = "r" + i;
        underWay.acquire();
        all.add(
            threads.submit(() -> {
              try {
                accepted.addAndGet(race(id, threads) ? 1 : 0);
                return id;
              } finally {
                underWay.release();
              }
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertThat(accepted.get()).isBetween(1, races);
  }

  /** Whether the message was accepted. */
  private boolean race(String id, ExecutorService threads) throws Exception {
    Client client = world.client();
    client.start(READER, id, "");
    CyclicBarrier together = new CyclicBarrier(2);
    Future<?> stop =
        threads.submit(() -> {
          together.await();
          client.enqueue(id, STOP, "stop");
          return id;
        });
    together.await();
    boolean isAccepted = isAccepted(id);
    stop.get();
    assertThat(world.output(id)).as(id).isEqualTo(isAccepted ? "mail" : "");
    return isAccepted;
  }

  /** Sends a message once the stop is on its way, so that some come too late. */
  private boolean isAccepted(String id) {
    for (int i = 0; i < Math.floorMod(id.hashCode(), 7); i++) {
      world.store().status(id);
    }
    try {
      world.client().enqueue(id, MAIL, "mail");
      return true;
    } catch (ClientException.InstanceEnded e) {
      return false;
    }
  }
}
