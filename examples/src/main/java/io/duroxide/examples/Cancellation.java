package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** Changed minds: an export is cancelled while it encodes, and its parent clears up. */
public final class Cancellation {
  static final Activity<String, String> ENCODE = Activity.of("Encode", String.class, String.class);
  static final Activity<String, String> DELETE_PARTS =
      Activity.of("DeleteParts", String.class, String.class);
  static final Orchestration<String, String> ENCODING =
      Orchestration.of("Encoding", String.class, String.class);
  static final Orchestration<String, String> EXPORT =
      Orchestration.of("Export", String.class, String.class);

  private Cancellation() {}

  static String export(OrchestrationContext ctx, String film) {
    try {
      return ctx.call(ENCODING, film, ChildOptions.instanceId(film + "-encoding")).await();
    } catch (SubOrchestrationFailedException e) {
      if (!e.isCancelled()) {
        throw e;
      }
      return ctx.call(DELETE_PARTS, film).await() + ", " + e.getMessage();
    }
  }

  static String encoding(OrchestrationContext ctx, String film) {
    ctx.setCustomStatus("encoding");
    return ctx.call(ENCODE, film).await();
  }

  /** Works in small pieces and looks up between them. */
  static String encode(ActivityContext ctx, String film) throws InterruptedException {
    for (int frame = 0; frame < 100_000; frame++) {
      if (ctx.awaitCancelled(Duration.ofMillis(10))) {
        return "thrown away: nobody waits for it any more";
      }
    }
    return film + ".mp4";
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(ENCODE, Cancellation::encode)
        .activity(DELETE_PARTS, (ctx, film) -> "parts of " + film + " deleted")
        .orchestration(ENCODING, Cancellation::encoding)
        .orchestration(EXPORT, Cancellation::export);
  }

  static String run(Client client) {
    client.start(EXPORT, "export-1", "dunes");
    client.waitForCustomStatus("dunes-encoding", "encoding", Duration.ofMinutes(1));
    client.cancel("dunes-encoding", "wrong soundtrack");
    return client.waitFor(EXPORT, "export-1", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("cancellation.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
