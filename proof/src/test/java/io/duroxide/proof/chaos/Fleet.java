package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Incident;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The processes of a run, its server and its proxies, and what happens to them. */
final class Fleet implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A runtime may take 10 s longer than its timeout, a store 10 s. */
  private static final Duration STOP_PATIENCE =
      ChaosNode.STOP_TIMEOUT.plusSeconds(10).plusSeconds(10).plus(ChaosNode.GRACE);

  private static final Duration SLOW = Duration.ofSeconds(2);
  private static final Duration CUTTING = Duration.ofSeconds(5);

  /** Files of a process may not grow beyond this; ledgers and logs stay far below. */
  private static final String FULL = Integer.toString(700 * 1024);

  private final ChaosSettings settings;
  private final RunFolder folder;
  private final @Nullable ChaosServer server;
  private final List<CuttingProxy> proxies = new ArrayList<>();
  private final List<ChildProcess> slots = new CopyOnWriteArrayList<>();
  private final Map<FaultKind, Integer> struck = new EnumMap<>(FaultKind.class);
  private final Set<OptionSet> born = EnumSet.noneOf(OptionSet.class);
  private final List<Incident> incidents = new CopyOnWriteArrayList<>();
  private final List<String> left = new CopyOnWriteArrayList<>();
  private final NodeLauncher launcher;
  private final LastingFaults lasting = new LastingFaults();
  private final long beganAt;
  private int births;
  private int processes;

  Fleet(RunFolder folder, @Nullable ChaosServer server) {
    this.folder = folder;
    this.settings = folder.settings();
    this.server = server;
    this.launcher = NodeLauncher.shared();
    this.beganAt = System.currentTimeMillis();
    for (int slot = 0; slot < settings.processes(); slot++) {
      if (server != null && settings.store() == StoreKind.PROXIED) {
        proxies.add(new CuttingProxy(server.port()));
      }
      slots.add(newProcess(slot));
    }
  }

  private synchronized ChildProcess newProcess(int slot) {
    boolean node = slot < settings.nodes();
    String name = (node ? "node-" : "caller-") + slot + "-" + processes++;
    OptionSet options = OptionSet.DEFAULTS;
    if (node) {
      options = FaultPlan.options(settings, births++);
      born.add(options);
    }
    return launcher.start(
        new Birth(folder, address(slot, name), slot, name, options, beganAt), node);
  }

  private String address(int slot, String name) {
    if (server == null) {
      return folder.storeFile().toString();
    }
    int port = proxies.isEmpty() ? server.port() : proxies.get(slot).port();
    return ChaosServer.url(port, name);
  }

  // Faults

  /** Lets everything of a plan happen. */
  void strikeAll(List<Fault> plan) {
    for (Fault fault : plan) {
      pauseUntil(beganAt + fault.at());
      strike(fault);
    }
    lasting.awaitAll();
    for (CuttingProxy proxy : proxies) {
      proxy.awaitCuts(CUTTING);
      proxy.forgetCuts();
    }
    slots.forEach(this::awaitReady);
  }

  private static void pauseUntil(long instant) {
    while (System.currentTimeMillis() < instant) {
      LockSupport.parkUntil(instant);
    }
  }

  private void note(FaultKind kind, String process, long from) {
    incidents.add(new Incident(kind.name(), process, from, System.currentTimeMillis()));
  }

  private void strike(Fault fault) {
    FaultKind kind = fault.kind();
    int slot = fault.kind() == FaultKind.CRASH ? 0 : free(fault);
    ChildProcess victim = slots.get(slot);
    String name = victim.birth().name();
    long from = System.currentTimeMillis();
    struck.merge(kind, 1, Integer::sum);
    switch (kind) {
      case KILL, KILL_CLIENT -> {
        victim.kill();
        slots.set(slot, newProcess(slot));
      }
      case PAUSE -> pause(slot, fault);
      case STANDSTILL -> {
        lasting.awaitAll();
        IntStream.range(0, settings.nodes()).forEach(each -> pause(each, fault));
      }
      case DISK_FULL -> {
        Shell.limitFiles(victim.pid(), FULL);
        hold(slot, fault, () -> Shell.limitFiles(victim.pid(), "unlimited"));
      }
      case STOP ->
          hold(
              slot,
              fault,
              () -> {
                stop(victim, false);
                slots.set(slot, newProcess(slot));
              });
      case HEAP -> victim.say(ChaosNode.HEAP);
      case CUT -> cut(proxies.get(slot), fault.amount());
      case FREEZE -> proxies.get(slot).freeze(Duration.ofMillis(fault.amount()));
      case DELAY -> proxies.get(slot).delay(Duration.ofMillis(fault.amount()), SLOW);
      case TERMINATE -> server().terminate(name);
      case CRASH -> server().crash();
    }
    note(kind, kind == FaultKind.CRASH ? "" : name, from);
  }

  private static void cut(CuttingProxy proxy, int bytes) {
    if (bytes == FaultPlan.LOST_ANSWER) {
      proxy.loseAnswer();
    } else {
      proxy.cutAfter(bytes);
    }
  }

  private void pause(int slot, Fault fault) {
    ChildProcess victim = slots.get(slot);
    Shell.signal(victim.pid(), "STOP");
    hold(slot, fault, () -> Shell.signal(victim.pid(), "CONT"));
  }

  /** No other fault hits the process until this one is over. */
  private void hold(int slot, Fault fault, Runnable end) {
    ChildProcess victim = slots.get(slot);
    long from = System.currentTimeMillis();
    lasting.add(
        slot,
        fault.amount(),
        () -> {
          if (victim.isAlive()) {
            end.run();
          }
          note(fault.kind(), victim.birth().name(), from);
        });
  }

  private ChaosServer server() {
    if (server == null) {
      throw new IllegalStateException("a run on a file has no server");
    }
    return server;
  }

  /** The slot that the plan names, or another one if that is busy. */
  private int free(Fault fault) {
    int first = fault.kind() == FaultKind.KILL_CLIENT ? settings.nodes() : 0;
    int count = fault.kind() == FaultKind.KILL_CLIENT ? settings.clients() : settings.nodes();
    if (fault.kind().isOfProxy()) {
      return connected(fault.slot());
    }
    for (int i = 0; i < count; i++) {
      int slot = first + (fault.slot() - first + i) % count;
      if (!lasting.holds(slot)
          && slots.get(slot).heard(ChaosNode.READY, Duration.ZERO).isPresent()) {
        return slot;
      }
    }
    lasting.await(fault.slot());
    awaitReady(slots.get(fault.slot()));
    return fault.slot();
  }

  /**
   * A slot whose connections are in use and whole: a process whose client has finished says nothing
   * any more, unless it is a node.
   */
  private int connected(int wanted) {
    boolean silent =
        wanted >= settings.nodes()
            && slots.get(wanted).heard(ChaosNode.FINISHED, Duration.ZERO).isPresent();
    int slot = silent ? wanted % settings.nodes() : wanted;
    awaitReady(slots.get(slot));
    proxies.get(slot).awaitCuts(CUTTING);
    return slot;
  }

  private void awaitReady(ChildProcess process) {
    if (process.heard(ChaosNode.READY, PATIENCE).isEmpty()) {
      throw new IllegalStateException(
          "%s did not start within %s; its log says why"
              .formatted(process.birth().name(), PATIENCE));
    }
  }

  /**
   * Closes a node, which must leave nothing behind.
   *
   * @param calm whether nothing is under way: then nothing has to be interrupted, either. What
   *     waits for other nodes, or for a file that a stopped process has locked, may be.
   */
  private void stop(ChildProcess node, boolean calm) {
    node.say(ChaosNode.STOP);
    String answer = node.heard(ChaosNode.STOP, STOP_PATIENCE).orElse("no answer");
    boolean well =
        answer.equals(ChaosNode.STOPPED_ORDERLY)
            || (!calm && answer.equals(ChaosNode.STOPPED_LATE));
    if (!well || !node.hasEnded(STOP_PATIENCE)) {
      left.add(node.birth().name() + ": " + answer);
      node.kill();
    }
  }

  // The end

  /** The processes whose clients have something to do. */
  Set<String> busy(Duration patience) {
    Set<String> busy = new HashSet<>();
    for (ChildProcess process : slots) {
      if (process.heard(ChaosNode.FINISHED, busy.isEmpty() ? patience : Duration.ZERO).isEmpty()) {
        busy.add(process.birth().name() + (process.isAlive() ? "" : " (has ended)"));
      }
    }
    return busy;
  }

  /** What nodes say that are not up after this time. */
  List<String> health(Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    List<String> trouble = new ArrayList<>();
    for (ChildProcess node : slots.subList(0, settings.nodes())) {
      String answer = health(node);
      while (!isWell(answer) && System.nanoTime() < until) {
        LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
        answer = health(node);
      }
      if (!isWell(answer)) {
        trouble.add(node.birth().name() + ": " + answer);
      }
    }
    return trouble;
  }

  /** That locks were lost is told for a while. */
  private static boolean isWell(String answer) {
    return answer.startsWith(ChaosNode.HEALTH + " UP")
        || (answer.startsWith(ChaosNode.HEALTH + " DEGRADED")
            && answer.contains(" locks were lost ")
            && !answer.contains(".,"));
  }

  private static String health(ChildProcess node) {
    node.forget(ChaosNode.HEALTH);
    node.say(ChaosNode.HEALTH);
    return node.heard(ChaosNode.HEALTH, Duration.ofSeconds(5)).orElse("no answer");
  }

  void stopAll() {
    slots.subList(0, settings.nodes()).forEach(node -> stop(node, true));
    slots.subList(settings.nodes(), slots.size()).forEach(ChildProcess::kill);
  }

  /** How many faults of each kind happened; of cuts, those that a connection met. */
  Map<FaultKind, Integer> struck() {
    if (!proxies.isEmpty()) {
      struck.put(FaultKind.CUT, proxies.stream().mapToInt(CuttingProxy::cuts).sum());
    }
    return struck;
  }

  Set<OptionSet> born() {
    return born;
  }

  List<Incident> incidents() {
    return incidents;
  }

  List<String> left() {
    return left;
  }

  @Override
  public void close() {
    lasting.close();
    slots.forEach(ChildProcess::kill);
    proxies.forEach(CuttingProxy::close);
  }
}
