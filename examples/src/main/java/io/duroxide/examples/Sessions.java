package io.duroxide.examples;

import static io.duroxide.api.ActivityOptions.options;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The same worker: the edits of a photo go where the photo is already in memory. */
public final class Sessions {
  record Edit(String photo, List<String> filters) {}

  static final Activity<Edit, String> APPLY = Activity.of("Apply", Edit.class, String.class);
  static final Orchestration<Edit, String> DEVELOP =
      Orchestration.of("Develop", Edit.class, String.class);

  private Sessions() {}

  static String develop(OrchestrationContext ctx, Edit wanted) {
    var here = options().session(ctx.newGuid().toString());
    String picture = wanted.photo();
    for (int i = 1; i <= wanted.filters().size(); i++) {
      Edit soFar = new Edit(wanted.photo(), wanted.filters().subList(0, i));
      picture = ctx.call(APPLY, soFar, here).await();
    }
    return picture;
  }

  /** A node with photos in memory; one that lost its memory just opens the photo again. */
  static final class Darkroom {
    private final Set<String> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger opened = new AtomicInteger();

    String apply(Edit edit) {
      if (open.add(edit.photo())) {
        opened.incrementAndGet();
      }
      return edit.photo() + " with " + String.join(", ", edit.filters());
    }

    int opened() {
      return opened.get();
    }

    DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
      return node.activity(APPLY, (ctx, edit) -> apply(edit))
          .orchestration(DEVELOP, Sessions::develop);
    }
  }

  static String run(Client client) {
    client.start(DEVELOP, "beach", new Edit("beach.raw", List.of("crop", "sharpen", "frame")));
    return client.waitFor(DEVELOP, "beach", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    var left = new Darkroom();
    var right = new Darkroom();
    try (var store = SqliteProvider.open(Path.of("sessions.db"));
        var first = left.register(DuroxideRuntime.builder(store)).start();
        var second = right.register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
      System.out.println("opened " + (left.opened() + right.opened()) + " time(s)");
    }
  }
}
