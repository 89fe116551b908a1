package io.duroxide.proof.program;

import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.Delivery;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A store with one node, on which programs run undisturbed. */
final class ProgramBench implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Provider store;
  private final Client client;
  private final DuroxideRuntime runtime;
  private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
  private final int times;
  private int runs;

  /**
   * How programs run.
   *
   * @param cachedExecutions how many executions the node keeps
   * @param view how programs see their context
   * @param seenByNode how the node sees the store
   * @param times how often clients make each call
   */
  record Setup(
      int cachedExecutions,
      UnaryOperator<OrchestrationContext> view,
      UnaryOperator<Provider> seenByNode,
      int times) {
    /** All as it is. */
    static Setup plain(int cachedExecutions) {
      return new Setup(cachedExecutions, UnaryOperator.identity(), UnaryOperator.identity(), 1);
    }

    Setup withView(UnaryOperator<OrchestrationContext> newView) {
      return new Setup(cachedExecutions, newView, seenByNode, times);
    }

    Setup withNodeStore(UnaryOperator<Provider> newView) {
      return new Setup(cachedExecutions, view, newView, times);
    }

    Setup withTimes(int newTimes) {
      return new Setup(cachedExecutions, view, seenByNode, newTimes);
    }
  }

  /** Closes the store when it is closed. */
  ProgramBench(Provider store, Setup setup) {
    this.store = store;
    this.client = Client.of(store).withDelivery(Delivery.UNCHECKED);
    this.times = setup.times();
    DuroxideRuntime.Builder node =
        DuroxideRuntime.builder(setup.seenByNode().apply(store))
            .options(
                ProgramCode.options(RuntimeOptions.builder())
                    .cachedExecutions(setup.cachedExecutions())
                    .minPollInterval(Duration.ofMillis(5))
                    .orchestratorLockTimeout(Duration.ofSeconds(2))
                    .workerLockTimeout(Duration.ofSeconds(2))
                    .build());
    ProgramCode.register(node, ActivityLedger.NONE, setup.view());
    this.runtime = node.start();
  }

  /** Runs one program to its end and says what is not as it must be. */
  List<String> run(Program program) {
    runs++;
    String instance = "run-" + runs;
    start(program, instance).join();
    return differences(program, instance);
  }

  /** Runs programs side by side and says, by name, what is not as it must be. */
  Map<String, List<String>> differences(List<Program> programs) {
    CompletableFuture.allOf(
            programs.stream()
                .map(program -> start(program, program.name()))
                .toArray(CompletableFuture<?>[]::new))
        .join();
    Map<String, List<String>> wrong = new TreeMap<>();
    for (Program program : programs) {
      List<String> differences = differences(program, program.name());
      if (!differences.isEmpty()) {
        wrong.put(program.name(), differences);
      }
    }
    return wrong;
  }

  /** Starts a program; done when clients have done their part. */
  CompletableFuture<Void> start(Program program, String instance) {
    return new ScriptPlayer(client, senders, PATIENCE, times)
        .play(ProgramModel.script(program, instance));
  }

  /** Waits for the end of a program and says what is not as it must be. */
  List<String> differences(Program program, String instance) {
    Prediction outline = ProgramModel.outline(program, instance);
    outline.instances().forEach(this::awaitEnd);
    return new ProgramCheck(store, times == 1 ? Map.of() : messages(outline.script()))
        .differences(program, instance);
  }

  private static Map<String, Set<String>> messages(ClientScript script) {
    Map<String, Set<String>> all = new HashMap<>();
    for (ClientScript.Step step : script.steps()) {
      Set<String> own = all.computeIfAbsent(step.instance(), instance -> new HashSet<>());
      switch (step.deed()) {
        case ClientScript.Deed.Start start -> own.addAll(start.messages());
        case ClientScript.Deed.Send send -> own.add(send.message());
        case ClientScript.Deed.Raise ignored -> {}
        case ClientScript.Deed.Cancel ignored -> {}
      }
    }
    return all;
  }

  private void awaitEnd(String id, InstancePrediction predicted) {
    if (!predicted.certain() && client.status(id) instanceof OrchestrationStatus.NotFound) {
      return;
    }
    try {
      client.waitForCompletion(id, PATIENCE);
    } catch (ClientException.Timeout e) {
      throw new AssertionError(id + " must end as " + predicted.ending(), e);
    }
  }

  @Override
  public void close() {
    runtime.close();
    senders.close();
    store.close();
  }
}
