package io.duroxide.e2e;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.Durability;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A node with a small heap and one mailbox with many large messages; says at the end what its
 * reader returned, and how many other instances came to their end meanwhile.
 */
final class LargeMailProcess {
  private static final int SIZE = 1_000_000;
  private static final int EACH = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<Integer, String> READER =
      Orchestration.of("Reader", Integer.class, String.class);
  private static final Orchestration<String, String> NEIGHBOUR =
      Orchestration.of("Neighbour", String.class, String.class);

  private final int count;
  private final Duration pause;

  private LargeMailProcess(int count, Duration pause) {
    this.count = count;
    this.pause = pause;
  }

  /**
   * Runs to its end.
   *
   * @param arguments a SQLite file, the number of messages, the pause between two reads in
   *     milliseconds
   */
  public static void main(String[] arguments) {
    Provider store =
        SqliteProvider.open(
            Path.of(arguments[0]), SqliteOptions.DEFAULT.withDurability(Durability.NORMAL));
    new LargeMailProcess(
            Integer.parseInt(arguments[1]), Duration.ofMillis(Long.parseLong(arguments[2])))
        .run(store);
    Runtime.getRuntime().halt(0);
  }

  private void run(Provider store) {
    Client client = Client.of(store);
    DuroxideRuntime.builder(store)
        .activity(ECHO, (ctx, text) -> text)
        .orchestration(READER, this::read)
        .orchestration(NEIGHBOUR, (ctx, text) -> ctx.call(ECHO, text).await())
        .start();
    client.start(READER, "reader", 0);
    String filler = "x".repeat(SIZE);
    for (int i = 0; i < count; i++) {
      client.enqueue("reader", MAIL, i + " " + filler);
    }
    int neighbours = 0;
    while (client.status("reader") instanceof OrchestrationStatus.Running) {
      String id = "neighbour-" + neighbours;
      client.start(NEIGHBOUR, id, "x");
      client.waitForCompletion(id, PATIENCE);
      neighbours++;
    }
    System.out.printf(
        "RESULT %s neighbours=%d%n", client.waitForCompletion("reader", PATIENCE), neighbours);
  }

  private String read(OrchestrationContext ctx, int from) {
    for (int expected = from; expected < Math.min(count, from + EACH); expected++) {
      String message = ctx.dequeue(MAIL).await();
      if (!message.startsWith(expected + " ")) {
        return "read " + message.substring(0, 9) + " instead of " + expected;
      }
      if (pause.isPositive()) {
        ctx.timer(pause).await();
      }
    }
    if (from + EACH < count) {
      ctx.continueAsNew(from + EACH);
    }
    return "all in order";
  }
}
