package io.duroxide.benchmarks;

import io.duroxide.model.ExecutionKey;
import io.duroxide.replay.Execution;
import io.duroxide.replay.TurnInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Heap that parked executions hold, virtual threads included. */
final class ParkedMemory {
  private static final int EXECUTIONS = 100_000;

  private ParkedMemory() {}

  /** Bytes of a hello orchestration that waits for its only activity. */
  static long hello() throws InterruptedException {
    return each(number -> {
      ExecutionKey key = new ExecutionKey("hello-" + number, 1);
      Execution execution =
          Steps.execution(key, (ctx, name) -> ctx.callActivity("Greet", name).await());
      execution.turn(new TurnInput(List.of(Steps.started(key)), 0, List.of(), Map.of()));
      return execution;
    });
  }

  private interface Maker {
    Execution make(int number);
  }

  private static long each(Maker maker) throws InterruptedException {
    List<Execution> parked = new ArrayList<>(EXECUTIONS);
    maker.make(-1).discard();
    long before = Heap.used();
    Thread driver =
        Thread.ofVirtual()
            .start(() -> {
              for (int i = 0; i < EXECUTIONS; i++) {
                parked.add(maker.make(i));
              }
            });
    driver.join();
    long after = Heap.used();
    Thread.ofVirtual().start(() -> parked.forEach(Execution::discard)).join();
    return (after - before) / EXECUTIONS;
  }
}
