package io.duroxide.e2e;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.StartOptions;
import io.duroxide.management.Management;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Orchestrations in every state in which a store may be when it is moved: ended, failed, or waiting
 * for a timer, an activity, a child, a message, an event or their start.
 *
 * @param each how many of each
 */
record MovingWork(int each) {
  /** When whatever waits for time alone can go on. */
  static final Duration LATER = Duration.ofHours(2);

  private static final Duration NAP_TIME = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = 5;
  private static final String WAITING = "waiting";

  private static final Activity<String, String> SHOUT =
      Activity.of("Shout", String.class, String.class);
  private static final Activity<String, String> LATE =
      Activity.of("Late", String.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("go", String.class);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);

  private static final Orchestration<String, String> DONE = texts("Done");
  private static final Orchestration<String, String> BROKEN = texts("Broken");
  private static final Orchestration<String, String> NAP = texts("Nap");
  private static final Orchestration<String, String> QUEUED = texts("Queued");
  private static final Orchestration<String, String> ASK = texts("Ask");
  private static final Orchestration<String, String> FAMILY = texts("Family");
  private static final Orchestration<String, String> READER = texts("Reader");
  private static final Orchestration<Integer, String> LOOP =
      Orchestration.of("Loop", Integer.class, String.class);

  /** What the running ones come to in the end, by the orchestration. */
  private static final Map<Orchestration<?, String>, String> RESULTS =
      Map.of(
          NAP, "rested",
          QUEUED, "late in",
          FAMILY, "told by go",
          READER, "a, b, c",
          LOOP, "5 rounds, go");

  private static Orchestration<String, String> texts(String name) {
    return Orchestration.of(name, String.class, String.class);
  }

  /** All but the activity that some wait for. */
  static void register(DuroxideRuntime.Builder node) {
    node.activity(SHOUT, (ctx, in) -> in + "!")
        .orchestration(DONE, (ctx, in) -> ctx.call(SHOUT, in).await())
        .orchestration(
            BROKEN,
            (ctx, in) -> {
              throw new IllegalStateException(in);
            })
        .orchestration(
            NAP,
            (ctx, in) -> {
              ctx.setCustomStatus(WAITING);
              ctx.timer(NAP_TIME).await();
              return "rested";
            })
        .orchestration(
            QUEUED,
            (ctx, in) -> {
              ctx.setCustomStatus(WAITING);
              return ctx.call(LATE, in).await();
            })
        .orchestration(
            ASK,
            (ctx, in) -> {
              ctx.setCustomStatus(WAITING);
              return "told by " + ctx.waitFor(GO).await();
            })
        .orchestration(
            FAMILY,
            (ctx, in) -> {
              ctx.setCustomStatus(WAITING);
              return ctx.call(ASK, in).await();
            })
        .orchestration(
            READER,
            (ctx, in) -> {
              String first = ctx.dequeue(MAIL).await();
              ctx.setCustomStatus(WAITING);
              return first + ", " + ctx.dequeue(MAIL).await() + ", " + ctx.dequeue(MAIL).await();
            })
        .orchestration(
            LOOP,
            (ctx, round) -> {
              ctx.kv().put("round", round);
              if (round < ROUNDS) {
                return ctx.continueAsNew(round + 1);
              }
              ctx.kv().clear("round");
              ctx.kv().put("rounds", round);
              ctx.setCustomStatus(WAITING);
              String event = ctx.waitFor(GO).await();
              return ctx.kv().get("rounds", Integer.class).orElseThrow() + " rounds, " + event;
            });
  }

  static void registerLate(DuroxideRuntime.Builder node) {
    node.activity(LATE, (ctx, in) -> "late " + in);
  }

  /** Starts everything, and waits until nothing goes on by itself. */
  void begin(Client client) {
    for (int i = 0; i < each; i++) {
      client.start(DONE, "done-" + i, "in");
      client.start(BROKEN, "broken-" + i, "in");
      client.start(NAP, "nap-" + i, "in");
      client.start(QUEUED, "queued-" + i, "in");
      client.start(FAMILY, "family-" + i, "in");
      client.startAndEnqueue(READER, "reader-" + i, "in", MAIL, List.of("a"));
      client.start(LOOP, "loop-" + i, 1);
      client.start(DONE, "delayed-" + i, "in", StartOptions.delayed(NAP_TIME));
      client.raiseEvent("early-" + i, GO, "early");
    }
    for (int i = 0; i < each; i++) {
      client.waitForCompletion("done-" + i, PATIENCE);
      client.waitForCompletion("broken-" + i, PATIENCE);
      for (Orchestration<?, String> running : RESULTS.keySet()) {
        client.waitForCustomStatus(id(running, i), WAITING, PATIENCE);
      }
      client.enqueue("reader-" + i, MAIL, "b");
    }
  }

  private static String id(Orchestration<?, String> orchestration, int number) {
    return orchestration.name().toLowerCase(Locale.ROOT) + "-" + number;
  }

  /** How many instances and ids under which something waits there are, with children. */
  int total() {
    return 10 * each;
  }

  /** Gives everything what it waits for, but for time. */
  void wake(Provider store) {
    Client client = Client.of(store);
    for (int i = 0; i < each; i++) {
      Management.of(store)
          .children("family-" + i)
          .forEach(child -> client.raiseEvent(child, GO, "go"));
      client.raiseEvent("loop-" + i, GO, "go");
      client.enqueue("reader-" + i, MAIL, "c");
      client.start(DONE, "early-" + i, "in");
    }
  }

  /** What those that had not ended come to, by instance. */
  Map<String, Orchestration<?, String>> running() {
    Map<String, Orchestration<?, String>> running = new TreeMap<>();
    for (int i = 0; i < each; i++) {
      for (Orchestration<?, String> orchestration : RESULTS.keySet()) {
        running.put(id(orchestration, i), orchestration);
      }
      running.put("delayed-" + i, DONE);
      running.put("early-" + i, DONE);
    }
    return running;
  }

  static String result(Orchestration<?, String> orchestration) {
    return RESULTS.getOrDefault(orchestration, "in!");
  }
}
