package io.duroxide.examples;

import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What a client can do: start, look, raise, cancel, start again. */
public final class ClientTour {
  static final ExternalEvent<String> ANSWER = ExternalEvent.of("Answer", String.class);
  static final Orchestration<String, String> TICKET =
      Orchestration.of("Ticket", String.class, String.class);

  private ClientTour() {}

  static String ticket(OrchestrationContext ctx, String question) {
    ctx.setCustomStatus("open");
    return question + " " + ctx.waitFor(ANSWER).await();
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.orchestration(TICKET, ClientTour::ticket);
  }

  static String describe(OrchestrationStatus status) {
    return switch (status) {
      case OrchestrationStatus.NotFound() -> "unknown";
      case OrchestrationStatus.Running(var custom) -> "running, " + custom.status();
      case OrchestrationStatus.Completed(var output, var custom) -> "completed: " + output;
      case OrchestrationStatus.Failed failed when failed.isCancelled() ->
          failed.details().displayMessage();
      case OrchestrationStatus.Failed failed -> "failed: " + failed.details().displayMessage();
    };
  }

  static List<String> run(Client client) {
    List<String> seen = new ArrayList<>();
    seen.add(describe(client.status("t-1")));

    client.start(TICKET, "t-1", "Where is the key?");
    client.start(TICKET, "t-1", "Anybody?"); // the id exists: nothing happens
    seen.add(describe(client.waitForCustomStatus("t-1", "open", Duration.ofMinutes(1))));

    client.raiseEvent("t-1", ANSWER, "Under the mat.");
    seen.add(client.waitFor(TICKET, "t-1", Duration.ofMinutes(1)));

    var afresh = StartOptions.restartIfEnded();
    client.start(TICKET, "t-1", "And the other key?", afresh);
    client.cancel("t-1", "found it");
    seen.add(describe(client.waitForCompletion("t-1", Duration.ofMinutes(1))));

    try {
      client.raiseEvent("t-1", ANSWER, "In the other pocket.");
    } catch (ClientException.InstanceEnded e) {
      seen.add(e.getMessage());
    }

    var onlyIfNew = StartOptions.defaults().withReuse(StartOptions.Reuse.REJECT);
    try {
      client.start(TICKET, "t-1", "Once more?", onlyIfNew);
    } catch (ClientException.InstanceExists e) {
      seen.add(e.getMessage());
    }
    return seen;
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.inMemory();
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      run(Client.of(store)).forEach(System.out::println);
    }
  }
}
