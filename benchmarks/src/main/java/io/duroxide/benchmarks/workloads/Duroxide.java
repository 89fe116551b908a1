package io.duroxide.benchmarks.workloads;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A runtime and a client on one store. Thread-safe. */
final class Duroxide implements Subject {
  private static final Orchestration<Shape, String> WORKLOAD =
      Orchestration.of("Workload", Shape.class, String.class);
  private static final Activity<String, String> STEP =
      Activity.of("Step", String.class, String.class);
  private static final Activity<Shape, String> SLOW_STEP =
      Activity.of("SlowStep", Shape.class, String.class);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final String name;
  private final Provider store;
  private final Supplier<Cost> cost;
  private final DuroxideRuntime runtime;
  private final Client client;

  Duroxide(String name, Provider store, RuntimeOptions options, Supplier<Cost> cost) {
    this.name = name;
    this.store = store;
    this.cost = cost;
    this.client = Client.of(store);
    this.runtime =
        DuroxideRuntime.builder(store)
            .options(options)
            .activity(
                STEP,
                (ctx, input) -> {
                  Stamps.note();
                  return input;
                })
            .activity(
                SLOW_STEP,
                (ctx, shape) -> {
                  Thread.sleep(shape.delay());
                  return "done";
                })
            .orchestration(WORKLOAD, Duroxide::work)
            .start();
  }

  private static String work(OrchestrationContext ctx, Shape shape) {
    if (!shape.parallel()) {
      for (int i = 0; i < shape.steps(); i++) {
        step(ctx, shape).await();
      }
      return "done";
    }
    List<DurableFuture<String>> steps = new ArrayList<>();
    for (int i = 0; i < shape.steps(); i++) {
      steps.add(step(ctx, shape));
    }
    steps.forEach(DurableFuture::await);
    return "done";
  }

  private static DurableFuture<String> step(OrchestrationContext ctx, Shape shape) {
    return shape.delay().isZero() ? ctx.call(STEP, shape.input()) : ctx.call(SLOW_STEP, shape);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Shape shape, String id) {
    client.run(WORKLOAD, id, shape, PATIENCE);
  }

  @Override
  public Cost cost() {
    return cost.get();
  }

  @Override
  public void close() {
    runtime.close();
    store.close();
  }
}
