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
import java.util.Map;

/** How far is it? An import writes down what it has done, and anybody may look. */
public final class Progress {
  record Done(int files, int rows) {}

  static final Activity<String, Integer> LOAD = Activity.of("Load", String.class, Integer.class);
  static final Orchestration<List<String>, Done> IMPORT =
      Orchestration.of("Import", new TypeRef<List<String>>() {}, Done.class);

  private Progress() {}

  static Done importAll(OrchestrationContext ctx, List<String> files) {
    Done done = new Done(0, 0);
    for (String file : files) {
      ctx.setCustomStatus("loading " + file);
      int rows = ctx.call(LOAD, file).await();
      done = new Done(done.files() + 1, done.rows() + rows);
      ctx.kv().put("done", done);
      ctx.kv().put("rows of " + file, rows);
    }
    ctx.resetCustomStatus();
    return done;
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(LOAD, (ctx, file) -> 1_000 * file.length())
        .orchestration(IMPORT, Progress::importAll);
  }

  static Map<String, String> run(Client client) {
    client.start(IMPORT, "import-1", List.of("users", "orders", "stock"));
    client.waitForKv("import-1", "done", Done.class, Duration.ofMinutes(1)); // a look at half-time
    client.waitFor(IMPORT, "import-1", Duration.ofMinutes(1));
    return client.kvAll("import-1");
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("progress.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      run(Client.of(store)).forEach((key, value) -> System.out.println(key + ": " + value));
    }
  }
}
