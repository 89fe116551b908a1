package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
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
    try (Provider store = SqliteProvider.open(Path.of("hello.db"))) {
      System.out.println(run(store, "Java"));
    }
  }

  static String run(Provider store, String name) {
    try (var runtime =
        DuroxideRuntime.builder(store)
            .activity(GREET, (ctx, who) -> "Hello, " + who + "!")
            .orchestration(HELLO, (ctx, who) -> ctx.call(GREET, who).await())
            .start()) {
      var client = Client.of(store);
      client.start(HELLO, "hello-1", name);
      return client.waitFor(HELLO, "hello-1", Duration.ofSeconds(5));
    }
  }
}
