package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Awaited.Got;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A mailbox: whatever is sent to a chat is answered, in order, even if nobody listens yet. */
public final class ChatMailbox {
  static final Activity<String, String> ANSWER = Activity.of("Answer", String.class, String.class);
  static final EventQueue<String> MESSAGES = EventQueue.of("Messages", String.class);
  static final Orchestration<String, List<String>> CHAT =
      Orchestration.of("Chat", String.class, new TypeRef<List<String>>() {});

  private ChatMailbox() {}

  static List<String> chat(OrchestrationContext ctx, String guest) {
    List<String> answers = new ArrayList<>();
    while (ctx.dequeue(MESSAGES).await(Duration.ofMinutes(30)) instanceof Got(var text)) {
      if (text.equals("bye")) {
        answers.add("Goodbye, " + guest + "!");
        return answers;
      }
      answers.add(ctx.call(ANSWER, text).await());
    }
    answers.add("(closed after half an hour of silence)");
    return answers;
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(ANSWER, (ctx, text) -> "About '" + text + "': I will ask.")
        .orchestration(CHAT, ChatMailbox::chat);
  }

  static List<String> run(Client client) {
    client.startAndEnqueue(CHAT, "chat-1", "Ines", MESSAGES, List.of("opening hours", "parking"));
    client.enqueue("chat-1", MESSAGES, "bye");
    return client.waitFor(CHAT, "chat-1", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("chat-mailbox.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      run(Client.of(store)).forEach(System.out::println);
    }
  }
}
