package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** The first program: one orchestration that calls one activity. */
public final class Hello {
  static final Activity<String, String> GREET = Activity.of("Greet", String.class, String.class);
  static final Orchestration<String, String> HELLO =
      Orchestration.of("Hello", String.class, String.class);

  private Hello() {}

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("hello.db"));
        var runtime =
            DuroxideRuntime.builder(store)
                .activity(GREET, (ctx, name) -> "Hello, " + name + "!")
                .orchestration(HELLO, (ctx, name) -> ctx.call(GREET, name).await())
                .start()) {
      var client = Client.of(store);
      client.start(HELLO, "hello-1", "Java");
      System.out.println(client.waitFor(HELLO, "hello-1", Duration.ofSeconds(5)));
    }
  }
}
