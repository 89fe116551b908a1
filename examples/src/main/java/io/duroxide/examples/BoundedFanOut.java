package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Many, but not all at once: at most three pictures are resized at a time. */
public final class BoundedFanOut {
  static final Activity<String, String> DOWNLOAD =
      Activity.of("Download", String.class, String.class);
  static final Activity<String, String> RESIZE = Activity.of("Resize", String.class, String.class);
  static final Orchestration<List<String>, List<String>> THUMBNAILS =
      Orchestration.of(
          "Thumbnails", new TypeRef<List<String>>() {}, new TypeRef<List<String>>() {});

  private BoundedFanOut() {}

  static List<String> thumbnails(OrchestrationContext ctx, List<String> pictures) {
    return ctx.map(
        pictures,
        3,
        (branch, picture) -> {
          String file = branch.call(DOWNLOAD, picture).await();
          return branch.call(RESIZE, file).await();
        });
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(DOWNLOAD, (ctx, picture) -> picture + ".jpg")
        .activity(RESIZE, (ctx, file) -> "small-" + file)
        .orchestration(THUMBNAILS, BoundedFanOut::thumbnails);
  }

  static List<String> run(Client client) {
    client.start(THUMBNAILS, "album-1", List.of("beach", "dunes", "gulls", "pier", "sunset"));
    return client.waitFor(THUMBNAILS, "album-1", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("bounded-fan-out.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
