package io.duroxide.proof.chaos;

import io.duroxide.api.DataConverter;
import io.duroxide.client.Client;
import io.duroxide.client.Delivery;
import io.duroxide.proof.check.Breach;
import io.duroxide.proof.check.Checker;
import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import io.duroxide.proof.check.RunFacts;
import io.duroxide.proof.check.Scene;
import io.duroxide.proof.program.Command;
import io.duroxide.proof.program.EntityCode;
import io.duroxide.proof.program.EntityPlan;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One run: processes work, faults hit them, everything ends, and then it is checked. */
public final class ChaosRun {
  /** After the last fault everything has ended within this time. */
  private static final Duration SETTLING = Duration.ofSeconds(60);

  private static final Duration HEALTHY = Duration.ofSeconds(15);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Who stops entities. */
  static final String DRIVER = "driver";

  private final ChaosSettings settings;
  private final RunTasks tasks;
  private final RunFolder folder;

  public ChaosRun(ChaosSettings settings, Path path) {
    this(RunFolder.create(path, settings));
  }

  private ChaosRun(RunFolder folder) {
    this.settings = folder.settings();
    this.tasks = new RunTasks(settings);
    this.folder = folder;
  }

  public RunReport run() {
    List<Fault> plan = FaultPlan.of(settings);
    folder.write("plan.txt", String.join("\n", plan.stream().map(Fault::toString).toList()) + "\n");
    long began = System.nanoTime();
    if (!settings.store().isServer()) {
      return report(null, plan, began);
    }
    try (ChaosServer server = new ChaosServer(folder.path().resolve("store").resolve("data"))) {
      return report(server, plan, began);
    }
  }

  private RunReport report(@Nullable ChaosServer server, List<Fault> plan, long began) {
    String address =
        server == null ? folder.storeFile().toString() : ChaosServer.url(server.port(), DRIVER);
    OptionSet.DEFAULTS.open(address).close();
    try (Fleet fleet = new Fleet(folder, server)) {
      fleet.strikeAll(plan);
      long calmAt = System.currentTimeMillis();
      List<String> open = new ArrayList<>(fleet.busy(SETTLING));
      try (Provider store = OptionSet.DEFAULTS.open(address)) {
        stopEntities(folder, tasks, store);
        open.addAll(settle(store, calmAt + SETTLING.toMillis()));
        long settled = System.currentTimeMillis() - calmAt;
        List<String> health = fleet.health(HEALTHY);
        fleet.stopAll();
        RunFacts facts =
            new RunFacts(fleet.incidents(), calmAt, settled, open, health, fleet.left());
        folder.write(facts);
        List<Breach> breaches = Checker.check(scene(store, address, facts));
        RunReport report =
            new RunReport(
                settings,
                breaches,
                fleet.struck(),
                fleet.born(),
                Duration.ofNanos(System.nanoTime() - began),
                Duration.ofMillis(settled));
        folder.write("report.txt", report.text());
        return report;
      }
    }
  }

  /** Looks once more at what a run on a file left. */
  static List<Breach> checkAgain(Path path) {
    ChaosRun run = new ChaosRun(new RunFolder(path));
    String address = run.folder.storeFile().toString();
    try (Provider store = OptionSet.DEFAULTS.open(address)) {
      return Checker.check(run.scene(store, address, run.folder.facts()));
    }
  }

  private Scene scene(Provider store, String address, RunFacts facts) {
    return scene(folder, tasks, store, address, facts);
  }

  static Scene scene(
      RunFolder folder, RunTasks tasks, Provider store, String address, RunFacts facts) {
    return new Scene(
        store,
        address.startsWith("jdbc:") ? address : "jdbc:sqlite:" + address,
        tasks.orders().stream().map(RunTasks.Order::program).toList(),
        tasks.entities(),
        Ledger.readAll(folder.ledgers()),
        folder.logs(),
        facts);
  }

  static void stopEntities(RunFolder folder, RunTasks tasks, Provider store) {
    try (Ledger ledger = Ledger.open(folder.ledgers(), DRIVER, DRIVER)) {
      CallBook book = new CallBook(ledger, List.of(), DRIVER);
      Client client = Client.of(store).withDelivery(Delivery.UNCHECKED);
      for (EntityPlan entity : tasks.entities()) {
        Command stop = Command.stop(DRIVER, 1);
        book.insist(
            new Entry.Step(entity.name(), stop.id()),
            new Entry.Call(
                Entry.Deed.SEND, EntityCode.COMMANDS.name(), DataConverter.json().encode(stop)),
            () -> client.enqueue(entity.name(), EntityCode.COMMANDS, stop));
      }
    }
  }

  /** Waits until nothing runs; returns what does when the time is over. */
  static List<String> settle(Provider store, long until) {
    ProviderAdmin admin = store.management().orElseThrow();
    while (!isQuiet(admin)) {
      if (System.currentTimeMillis() > until) {
        return open(admin);
      }
      LockSupport.parkNanos(LOOK.toNanos());
    }
    return List.of();
  }

  private static boolean isQuiet(ProviderAdmin admin) {
    QueueDepths depths = admin.queueDepths();
    return admin.systemMetrics().runningInstances() == 0
        && depths.orchestrator().ready() + depths.orchestrator().locked() == 0
        && depths.worker().ready() + depths.worker().locked() + depths.worker().delayed() == 0;
  }

  private static List<String> open(ProviderAdmin admin) {
    List<String> open = new ArrayList<>(admin.listInstancesByStatus("Running"));
    open.add(admin.queueDepths().toString());
    return open;
  }
}
