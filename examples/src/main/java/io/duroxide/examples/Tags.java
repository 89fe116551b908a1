package io.duroxide.examples;

import static io.duroxide.api.ActivityOptions.options;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.nio.file.Path;
import java.time.Duration;

/** The right machine: rendering runs only on nodes that say they have a graphics card. */
public final class Tags {
  static final Activity<String, String> CUT = Activity.of("Cut", String.class, String.class);
  static final Activity<String, String> RENDER =
      Activity.of("Render", String.class, String.class).withOptions(options().tag("gpu"));
  static final Orchestration<String, String> FILM =
      Orchestration.of("Film", String.class, String.class);

  private Tags() {}

  static String film(OrchestrationContext ctx, String title) {
    String scenes = ctx.call(CUT, title).await();
    return ctx.call(RENDER, scenes).await();
  }

  static DuroxideRuntime.Builder office(DuroxideRuntime.Builder node) {
    return node.activity(CUT, (ctx, title) -> title + ", cut in the office")
        .orchestration(FILM, Tags::film);
  }

  static DuroxideRuntime.Builder renderFarm(DuroxideRuntime.Builder node) {
    return node.activity(RENDER, (ctx, scenes) -> scenes + ", rendered on the farm");
  }

  static RuntimeOptions.Builder withGraphicsCard(RuntimeOptions.Builder options) {
    return options.tags(TagFilter.tags("gpu"));
  }

  static String run(Client client) {
    client.start(FILM, "film-1", "Dunes");
    return client.waitFor(FILM, "film-1", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    var gpu = withGraphicsCard(RuntimeOptions.builder()).build();
    try (var store = SqliteProvider.open(Path.of("tags.db"));
        var office = office(DuroxideRuntime.builder(store)).start();
        var farm = renderFarm(DuroxideRuntime.builder(store).options(gpu)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
