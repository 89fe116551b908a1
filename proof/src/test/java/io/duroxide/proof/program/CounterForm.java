package io.duroxide.proof.program;

import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Where counters run; each node has a handle of the store for itself. */
enum CounterForm {
  SQLITE_ONE_NODE(StoreKind.SQLITE, 1),
  SQLITE_TWO_NODES(StoreKind.SQLITE, 2),
  POSTGRES_TWO_NODES(StoreKind.POSTGRES, 2);

  /** How many counters run at a time. */
  private static final int TOGETHER = 8;

  private final StoreKind kind;
  private final int nodes;

  CounterForm(StoreKind kind, int nodes) {
    this.kind = kind;
    this.nodes = nodes;
  }

  /** Runs so many counters; returns what the wrong ones counted, or why they did not end. */
  List<String> wrong(Path folder, int runs) {
    Supplier<Provider> handles = kind.handles(folder);
    List<Provider> stores = new ArrayList<>();
    List<DuroxideRuntime> runtimes = new ArrayList<>();
    try {
      for (int i = 0; i < nodes; i++) {
        stores.add(handles.get());
        runtimes.add(CounterProgram.start(stores.getLast()));
      }
      return wrong(stores, runs);
    } finally {
      runtimes.forEach(DuroxideRuntime::close);
      stores.forEach(Provider::close);
    }
  }

  private static List<String> wrong(List<Provider> stores, int runs) {
    List<Future<String>> verdicts = new ArrayList<>();
    try (ExecutorService callers = Executors.newFixedThreadPool(TOGETHER)) {
      for (int run = 0; run < runs; run++) {
        Client client = Client.of(stores.get(run % stores.size()));
        String instance = "counter-" + run;
        verdicts.add(callers.submit(() -> verdict(client, instance)));
      }
    }
    return verdicts.stream().map(Future::resultNow).filter(text -> !text.isEmpty()).toList();
  }

  /** Empty if it is right. */
  private static String verdict(Client client, String instance) {
    try {
      int counted = CounterProgram.run(client, instance);
      return counted == CounterProgram.MESSAGES ? "" : instance + " counted " + counted;
    } catch (RuntimeException e) {
      return instance + ": " + e;
    }
  }
}
