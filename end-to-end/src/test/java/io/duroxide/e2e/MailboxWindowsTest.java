package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.QueueDepth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** More messages wait for an execution than it has read. */
class MailboxWindowsTest extends EachStoreScenario {
  private static final int FIRST = MailboxRules.FIRST_MESSAGES;
  private static final int LATER = 8;
  private static final EventQueue<Integer> MAIL = EventQueue.of("mail", Integer.class);
  private static final EventQueue<String> OTHER = EventQueue.of("other", String.class);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<Integer, String> READER =
      Orchestration.of("Reader", Integer.class, String.class);

  private void node(OrchestrationHandler<Integer, String> code) {
    world.start(node -> node.activity(ECHO, (ctx, text) -> text).orchestration(READER, code));
  }

  private void send(int from, int to) {
    List<WorkItem> messages = new ArrayList<>();
    for (int i = from; i < to; i++) {
      messages.add(new WorkItem.QueueMessage("x", MAIL.name(), Integer.toString(i)));
    }
    world.store().enqueueForOrchestrator(messages);
  }

  /** Reads this many messages; the first one that is out of order is the result. */
  private static String readInOrder(OrchestrationContext ctx, int from, int to) {
    for (int expected = from; expected < to; expected++) {
      int next = ctx.dequeue(MAIL).await();
      if (next != expected) {
        return "read " + next + " instead of " + expected;
      }
    }
    return "all in order";
  }

  private List<Integer> carried(long execution) {
    EventKind first = world.history("x", execution).getFirst().kind();
    return ((EventKind.OrchestrationStarted) first)
        .inheritance().messages().stream().map(CarriedEvent::data).map(Integer::valueOf).toList();
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  @DisplayName("RL-036 a continuation carries a window of messages in order, the others stay")
  void carriedWindow() {
    int sent = 200;
    OrchestrationHandler<Integer, String> code =
        (ctx, from) -> {
          if (from == 0) {
            ctx.waitForEvent("begin").await();
          }
          String read = readInOrder(ctx, from, from + 1);
          if (from < 2) {
            ctx.continueAsNew(from + 1);
          }
          ctx.waitForEvent("go").await();
          return read.equals("all in order") ? readInOrder(ctx, 3, sent) : read;
        };
    node(code);
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    send(0, sent);
    world.until(() -> delivered(1) == FIRST);
    assertThat(messages()).isEqualTo(new QueueDepth(0, sent - FIRST, 0));
    world.client().raiseEvent("x", "begin", "");
    world.until(() -> !world.history("x", 3).isEmpty());
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);

    assertThat(carried(2)).isEqualTo(range(1, FIRST));
    assertThat(carried(3)).isEqualTo(range(2, FIRST));
    assertThat(messages()).isEqualTo(new QueueDepth(0, sent - FIRST, 0));
    world.restart();
    node(code);
    world.client().raiseEvent("x", "go", "");
    assertThat(world.output("x")).isEqualTo("all in order");
    assertThat(messages()).isEqualTo(QueueDepth.EMPTY);
  }

  private int delivered(long execution) {
    return (int)
        world.history("x", execution).stream()
            .filter(event -> event.kind() instanceof EventKind.QueueEventDelivered)
            .count();
  }

  @Test
  @DisplayName("RL-027 unread messages keep their order over ten continuations with sends between")
  void orderOverContinuations() {
    int rounds = 10;
    int each = 9;
    node((ctx, round) -> {
      String read = readInOrder(ctx, 5 * round, 5 * round + 5);
      if (!read.equals("all in order")) {
        return read;
      }
      ctx.waitForEvent("next").await();
      if (round < rounds) {
        ctx.continueAsNew(round + 1);
      }
      return readInOrder(ctx, 5 * round + 5, (rounds + 1) * each);
    });
    world.client().start(READER, "x", 0);
    for (int round = 0; round <= rounds; round++) {
      long execution = round + 1L;
      send(round * each, (round + 1) * each);
      world.until(() ->
          world.history("x", execution).stream()
              .anyMatch(event -> event.kind() instanceof EventKind.ExternalSubscribed));
      world.client().raiseEvent("x", "next", "");
    }

    assertThat(world.output("x")).isEqualTo("all in order");
    assertThat(messages()).isEqualTo(QueueDepth.EMPTY);
  }

  @Test
  @DisplayName("RL-028 a full queue holds up nothing else, and goes on when it is read")
  void fullQueue() {
    int sent = 300;
    node((ctx, from) -> {
      ctx.waitForEvent("begin").await();
      String other = ctx.dequeue(OTHER).await();
      String event = ctx.waitForEvent("event").await();
      ctx.timer(Duration.ofMinutes(1)).await();
      String outcome = ctx.call(ECHO, "outcome").await();
      ctx.waitForEvent("read").await();
      return String.join(" ", other, event, outcome, readInOrder(ctx, 0, sent));
    });
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    send(0, sent);
    world.until(() -> delivered(1) == FIRST);
    world.client().raiseEvent("x", "begin", "");
    world.awaitEvent("x", EventKind.QueueSubscribed.class);
    world.client().enqueue("x", OTHER, "other");
    world.until(() -> world.events("x", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("x", "event", "event");
    world.awaitEvent("x", EventKind.TimerCreated.class);
    world.advance(Duration.ofMinutes(2));
    world.until(() -> world.events("x", EventKind.ExternalSubscribed.class).size() == 3);
    assertThat(delivered(1)).isEqualTo(FIRST + 1);
    assertThat(messages()).isEqualTo(new QueueDepth(0, sent - FIRST, 0));

    world.client().raiseEvent("x", "read", "");

    assertThat(world.output("x")).isEqualTo("other event outcome all in order");
    assertThat(messages()).isEqualTo(QueueDepth.EMPTY);
  }

  @Test
  @DisplayName("RL-028 a cancel reaches an instance with a full queue; what is left goes")
  void cancelled() {
    node((ctx, from) -> ctx.waitForEvent("never").await());
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    send(0, 300);
    world.until(() -> delivered(1) == FIRST);

    world.client().cancel("x", "enough");

    assertThat(world.end("x")).isInstanceOf(OrchestrationStatus.Failed.class);
    world.until(() -> messages().equals(QueueDepth.EMPTY));
    assertThat(delivered(1)).isEqualTo(FIRST);
  }

  @Test
  @DisplayName("RL-028 code that waits for more messages than a window gets them")
  void manyAtOnce() {
    int asked = 3 * FIRST;
    node((ctx, from) -> {
      var all = IntStream.range(0, asked).mapToObj(i -> ctx.dequeue(MAIL)).toList();
      return Integer.toString(all.getLast().await()) + " " + all.getFirst().await();
    });
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.QueueSubscribed.class);
    send(0, asked);

    assertThat(world.output("x")).isEqualTo((asked - 1) + " 0");
  }

  @Test
  @DisplayName("RL-026 one message for each execution: bytes for each are constant and bounded")
  void costs() {
    int sent = 500;
    int payload = 1_000;
    int settled = 2 * FIRST;
    EventQueue<String> texts = EventQueue.of("mail", String.class);
    world.start(node ->
        node.orchestration(
            READER,
            (ctx, number) -> {
              String text = ctx.dequeue(texts).await();
              if (!text.startsWith(number + " ")) {
                return "read " + text.substring(0, 9) + " as number " + number;
              }
              if (number + 1 < sent) {
                ctx.continueAsNew(number + 1);
              }
              return "all in order";
            }));
    String filler = "x".repeat(payload - 5);
    List<WorkItem> mail = new ArrayList<>();
    for (int i = 0; i < sent; i++) {
      mail.add(new WorkItem.QueueMessage("x", "mail", i + " " + filler));
    }
    world.client().start(READER, "x", 0);
    world.awaitEvent("x", EventKind.QueueSubscribed.class);
    world.store().enqueueForOrchestrator(mail);

    assertThat(world.output("x")).isEqualTo("all in order");
    for (long execution = settled; execution < sent; execution++) {
      assertThat(carriedIn(execution)).hasSizeLessThanOrEqualTo(LATER);
      assertThat(bytes(execution))
          .as("bytes of execution " + execution)
          .isLessThan(20 * payload + 4096);
    }
    long early = bytes(settled, settled + 100);
    long late = bytes(sent - 110, sent - 10);
    assertThat(late).isBetween(early * 9 / 10, early * 11 / 10);
  }

  private List<CarriedEvent> carriedIn(long execution) {
    EventKind first = world.history("x", execution).getFirst().kind();
    return ((EventKind.OrchestrationStarted) first).inheritance().messages();
  }

  private long bytes(long from, long to) {
    long sum = 0;
    for (long execution = from; execution < to; execution++) {
      sum += bytes(execution);
    }
    return sum;
  }

  private long bytes(long execution) {
    return admin().transfer().readEvents(new ExecutionKey("x", execution), 0, 1_000).stream()
        .map(EventRow::data)
        .mapToLong(String::length)
        .sum();
  }

  @Test
  @DisplayName(
      "RL-037 a reader that continues as new, stopped after each commit: none lost or twice")
  void stoppedEverywhere() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    int sent = 40;
    ConcurrentMap<Integer, Integer> reads = new ConcurrentHashMap<>();
    OrchestrationHandler<Integer, String> code =
        (ctx, from) -> {
          String read = readInOrder(ctx, from, from + 3);
          reads.merge(from, 1, Integer::sum);
          if (!read.equals("all in order") || from + 3 >= sent) {
            return read;
          }
          ctx.continueAsNew(from + 3);
          return "";
        };
    node(code);
    world.client().start(READER, "x", 0);
    int rounds = 0;
    for (int i = 0; i < sent + 2; i += 2) {
      faults.failNextAfterCommit(Faults.COMMIT, 1, ProviderException.Kind.UNAVAILABLE);
      int commits = faults.count(Faults.COMMIT);
      send(i, i + 2);
      world.until(() -> faults.done(Faults.COMMIT) > commits);
      world.stopRuntimes();
      world.advance(Duration.ofMinutes(5));
      node(code);
      rounds++;
    }

    assertThat(world.output("x")).isEqualTo("all in order");
    assertThat(rounds).isEqualTo(sent / 2 + 1);
    List<Integer> read = new ArrayList<>();
    for (long execution = 1; execution <= sent / 3 + 1; execution++) {
      read.addAll(taken(execution));
    }
    assertThat(read).isEqualTo(range(0, sent + 2));
    assertThat(messages()).isEqualTo(QueueDepth.EMPTY);
  }

  /** The first three messages of an execution, which is what its code reads. */
  private List<Integer> taken(long execution) {
    return world.history("x", execution).stream()
        .map(Event::kind)
        .filter(EventKind.QueueEventDelivered.class::isInstance)
        .map(kind -> Integer.valueOf(((EventKind.QueueEventDelivered) kind).data()))
        .limit(3)
        .toList();
  }
}
