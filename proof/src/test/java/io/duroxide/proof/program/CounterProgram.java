package io.duroxide.proof.program;

import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;

/** The program that lost values in normal operation, as a new user would write it. */
final class CounterProgram {
  /** What a right run counts. */
  static final int MESSAGES = 200;

  private static final int EACH = 3;
  private static final String COUNT = "count";
  private static final Orchestration<String, Integer> COUNTER =
      Orchestration.of("counter", String.class, Integer.class);
  private static final EventQueue<String> TICKS = EventQueue.of("ticks", String.class);

  private CounterProgram() {}

  /** A node with default options. */
  static DuroxideRuntime start(Provider store) {
    return DuroxideRuntime.builder(store).orchestration(COUNTER, CounterProgram::count).start();
  }

  private static int count(OrchestrationContext ctx, String input) {
    for (int i = 0; i < EACH; i++) {
      int counted = ctx.kv().get(COUNT, Integer.class).orElse(0);
      if (ctx.dequeue(TICKS).await().equals("stop")) {
        return counted;
      }
      ctx.kv().put(COUNT, counted + 1);
    }
    return ctx.continueAsNew(input);
  }

  /** Starts a counter, sends it all messages and returns what it counted. */
  static int run(Client client, String instance) {
    client.start(COUNTER, instance, "");
    for (int i = 0; i < MESSAGES; i++) {
      client.enqueue(instance, TICKS, "tick");
    }
    client.enqueue(instance, TICKS, "stop");
    return client.waitFor(COUNTER, instance, ProgramBench.PATIENCE);
  }
}
