package io.duroxide.proof.program;

import static org.awaitility.Awaitility.await;

import io.duroxide.api.EventQueue;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Does what a script asks for, against a store that answers. */
final class ScriptPlayer {
  private final Client client;
  private final Executor executor;
  private final Duration patience;
  private final int times;

  ScriptPlayer(Client client, Executor executor, Duration patience) {
    this(client, executor, patience, 1);
  }

  /**
   * A player that makes each call several times, as a client does that has no answer.
   *
   * @param times how often
   */
  ScriptPlayer(Client client, Executor executor, Duration patience, int times) {
    this.client = client;
    this.executor = executor;
    this.patience = patience;
    this.times = times;
  }

  /** Starts the program and lets every sender go to work; done when all steps are. */
  CompletableFuture<Void> play(ClientScript script) {
    ClientScript.Step start = script.steps().getFirst();
    perform(start);
    Map<Integer, List<ClientScript.Step>> senders = new TreeMap<>();
    for (ClientScript.Step step : script.steps().subList(1, script.steps().size())) {
      senders.computeIfAbsent(step.sender(), sender -> new ArrayList<>()).add(step);
    }
    return CompletableFuture.allOf(
        senders.values().stream()
            .map(steps -> CompletableFuture.runAsync(() -> steps.forEach(this::step), executor))
            .toArray(CompletableFuture<?>[]::new));
  }

  private void step(ClientScript.Step step) {
    if (reached(step)) {
      perform(step);
    }
  }

  /** Waits for the place of a step; false if the instance ended before. */
  private boolean reached(ClientScript.Step step) {
    if (step.after() == 0) {
      return exists(step.instance());
    }
    OrchestrationStatus status = client.status(step.instance());
    while (!status.isTerminal()) {
      if (ClientScript.position(status.customStatus().status()).orElse(0) >= step.after()) {
        return true;
      }
      status =
          client.waitForStatusChange(step.instance(), status.customStatus().version(), patience);
    }
    return false;
  }

  /** A message that comes before its instance is lost. */
  private boolean exists(String instance) {
    await()
        .atMost(patience)
        .pollInterval(Duration.ofMillis(2))
        .until(() -> !(client.status(instance) instanceof OrchestrationStatus.NotFound));
    return true;
  }

  private void perform(ClientScript.Step step) {
    for (int i = 0; i < times; i++) {
      performOnce(step);
    }
  }

  private void performOnce(ClientScript.Step step) {
    String instance = step.instance();
    switch (step.deed()) {
      case ClientScript.Deed.Start start -> start(instance, start);
      case ClientScript.Deed.Raise(String event, String data) ->
          client.raiseEvent(instance, event, data);
      case ClientScript.Deed.Send(String queue, String message) ->
          client.enqueue(instance, queue, message);
      case ClientScript.Deed.Cancel(String reason) -> client.cancel(instance, reason);
    }
  }

  private void start(String instance, ClientScript.Deed.Start start) {
    if (!start.messages().isEmpty()) {
      client.startAndEnqueue(
          ProgramCode.PROGRAM,
          instance,
          start.input(),
          EventQueue.of(start.queue(), String.class),
          start.messages());
    } else if (start.version() == null) {
      client.start(ProgramCode.PROGRAM, instance, start.input());
    } else {
      client.start(
          ProgramCode.PROGRAM, instance, start.input(), StartOptions.version(start.version()));
    }
  }
}
