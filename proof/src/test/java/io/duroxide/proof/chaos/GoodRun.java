package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Breach;
import io.duroxide.proof.check.Checker;
import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import io.duroxide.proof.check.RunFacts;
import io.duroxide.proof.check.Scene;
import io.duroxide.proof.program.ProgramCode;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A run in this process to which nothing happens, to be damaged afterwards. */
final class GoodRun {
  private static final long SEED = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final RunFacts CALM =
      new RunFacts(List.of(), 0, 0, List.of(), List.of(), List.of());

  private final RunFolder folder;
  private final RunTasks tasks;

  private GoodRun(RunFolder folder) {
    this.folder = folder;
    this.tasks = new RunTasks(folder.settings());
  }

  static GoodRun in(Path path) {
    ChaosSettings settings =
        new ChaosSettings(
            SEED, StoreKind.SQLITE, 2, 0, ChaosSettings.Load.of(36, 2, 4, 0), Map.of());
    GoodRun run = new GoodRun(RunFolder.create(path, settings));
    try (Provider store = OptionSet.DEFAULTS.open(run.folder.storeFile().toString());
        Ledger ledger = Ledger.open(run.folder.ledgers(), "node", "node")) {
      run.work(store, ledger);
    }
    return run;
  }

  private void work(Provider store, Ledger ledger) {
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(store)
            .options(ProgramCode.options(RuntimeOptions.builder()).build());
    ProgramCode.register(builder, new ActivityBook(ledger, "node"));
    try (DuroxideRuntime ignored = builder.start();
        ClientWork first = new ClientWork(folder, store, "a", 0, 0);
        ClientWork second = new ClientWork(folder, store, "b", 1, 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.execute(first::perform);
      second.perform();
      threads.shutdown();
      threads.close();
      ChaosRun.stopEntities(folder, tasks, store);
      List<String> open = ChaosRun.settle(store, System.currentTimeMillis() + PATIENCE.toMillis());
      if (!open.isEmpty()) {
        throw new IllegalStateException("it did not end: " + open);
      }
    }
  }

  /** What a check finds in a copy that was damaged. */
  List<Breach> check(Damage damage, Path copy) {
    try {
      Files.createDirectories(copy.resolve("logs"));
      Path file = copy.resolve("store.db");
      Files.copy(folder.storeFile(), file);
      execute(file, damage.statements());
      try (Provider store = OptionSet.DEFAULTS.open(file.toString())) {
        damage.store().accept(store);
        List<Entry> entries = damage.entries().apply(Ledger.readAll(folder.ledgers()));
        Files.writeString(copy.resolve("logs").resolve("node.log"), damage.log());
        Scene scene =
            ChaosRun.scene(folder, tasks, store, file.toString(), damage.facts().apply(CALM));
        return Checker.check(
            new Scene(
                scene.store(),
                scene.address(),
                scene.programs(),
                scene.entities(),
                entries,
                copy.resolve("logs"),
                scene.facts()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void execute(Path file, List<String> statements) {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
