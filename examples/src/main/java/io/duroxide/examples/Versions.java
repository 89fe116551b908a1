package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** New code, old instances: a newsletter moves to its next version between two issues. */
public final class Versions {
  static final Activity<String, String> SEND = Activity.of("Send", String.class, String.class);
  static final EventQueue<String> ISSUES = EventQueue.of("Issues", String.class);
  static final Orchestration<Integer, String> NEWSLETTER =
      Orchestration.of("Newsletter", Integer.class, String.class);

  private Versions() {}

  static String plain(OrchestrationContext ctx, int number) {
    ctx.setCustomStatus("waiting for issue " + number);
    String issue = ctx.dequeue(ISSUES).await();
    ctx.kv().put("issue-" + number, ctx.call(SEND, "plain text: " + issue).await());
    return ctx.continueAsNew(number + 1);
  }

  static String html(OrchestrationContext ctx, int number) {
    ctx.setCustomStatus("waiting for issue " + number);
    String issue = ctx.dequeue(ISSUES).await();
    ctx.kv().put("issue-" + number, ctx.call(SEND, "<h1>" + issue + "</h1>").await());
    return ctx.continueAsNew(number + 1);
  }

  static DuroxideRuntime.Builder firstRelease(DuroxideRuntime.Builder node) {
    return node.activity(SEND, (ctx, text) -> "sent " + text)
        .orchestration(NEWSLETTER, "1.0.0", Versions::plain);
  }

  /** Keeps the old version: an execution ends with the code it began with. */
  static DuroxideRuntime.Builder secondRelease(DuroxideRuntime.Builder node) {
    return firstRelease(node).orchestration(NEWSLETTER, "2.0.0", Versions::html);
  }

  static void beforeUpgrade(Client client) {
    client.start(NEWSLETTER, "news", 1);
    client.waitForCustomStatus("news", "waiting for issue 1", Duration.ofMinutes(1));
  }

  static List<String> afterUpgrade(Client client) {
    client.enqueue("news", ISSUES, "spring");
    client.enqueue("news", ISSUES, "summer");
    return List.of(
        client.waitForKv("news", "issue-1", String.class, Duration.ofMinutes(1)),
        client.waitForKv("news", "issue-2", String.class, Duration.ofMinutes(1)));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("versions.db"))) {
      var client = Client.of(store);
      try (var monday = firstRelease(DuroxideRuntime.builder(store)).start()) {
        beforeUpgrade(client);
      }
      try (var tuesday = secondRelease(DuroxideRuntime.builder(store)).start()) {
        afterUpgrade(client).forEach(System.out::println);
      }
    }
  }
}
