package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** For ever: a meter is read every hour, or at once if somebody asks. */
public final class EternalLoop {
  record Meter(String id, int readings, int kwh) {
    Meter plus(int reading) {
      return new Meter(id, readings + 1, kwh + reading);
    }

    String summary() {
      return readings + " readings, " + kwh + " kWh";
    }
  }

  static final Activity<String, Integer> READ = Activity.of("Read", String.class, Integer.class);
  static final EventQueue<String> READ_NOW = EventQueue.of("ReadNow", String.class);
  static final Orchestration<Meter, String> WATCH =
      Orchestration.of("Watch", Meter.class, String.class);

  private EternalLoop() {}

  static String watch(OrchestrationContext ctx, Meter meter) {
    Meter next = meter.plus(ctx.call(READ, meter.id()).await());
    ctx.setCustomStatus(next.summary());
    ctx.dequeue(READ_NOW).await(Duration.ofHours(1));
    return ctx.continueAsNew(next); // a new execution with an empty history
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(READ, (ctx, meter) -> 12).orchestration(WATCH, EternalLoop::watch);
  }

  static OrchestrationStatus run(Client client) {
    client.start(WATCH, "meter-4", new Meter("meter-4", 0, 0));
    client.waitForCustomStatus("meter-4", "1 readings, 12 kWh", Duration.ofMinutes(1));
    client.enqueue("meter-4", READ_NOW, "invoice");
    client.enqueue("meter-4", READ_NOW, "invoice, again");
    client.waitForCustomStatus("meter-4", "3 readings, 36 kWh", Duration.ofMinutes(1));
    client.cancel("meter-4", "moved out");
    return client.waitForCompletion("meter-4", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("eternal-loop.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)).customStatus().status());
    }
  }
}
