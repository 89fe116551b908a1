package io.duroxide.proof.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** What happens to a run and when, and with which options its nodes are born: all by the seed. */
public final class FaultPlan {
  private static final long FAULT_SALT = 0x5DEECE66DL;
  private static final long BIRTH_SALT = 0x2545F4914F6CDD1DL;

  /** How much longer than the locks of all nodes a process stands still, at least and at most. */
  private static final int BEYOND_LOCKS = 150;

  private static final int FAR_BEYOND_LOCKS = 1_000;

  private static final int FREEZE_MILLIS = 2_500;
  private static final int DELAY_MILLIS = 20;
  private static final int FULL_MILLIS = 1_500;
  private static final int MOST_BYTES = 2_000;

  /** Instead of bytes until a cut: the next answer is lost, and what it tells has happened. */
  static final int LOST_ANSWER = -1;

  /** Nothing happens in the first part of a run, so that there is something to happen to. */
  private static final double CALM = 0.08;

  private FaultPlan() {}

  /** In the order of their time. */
  public static List<Fault> of(ChaosSettings settings) {
    Random random = new Random(settings.seed() ^ FAULT_SALT);
    List<Fault> plan = new ArrayList<>();
    for (Map.Entry<FaultKind, Integer> entry : settings.faults().entrySet()) {
      FaultKind kind = entry.getKey();
      for (int i = 0; i < entry.getValue() && possible(kind, settings); i++) {
        double share = CALM + (1 - CALM) * (i + random.nextDouble()) / entry.getValue();
        int amount = amount(kind, random);
        long last = settings.load().millis() - (lasts(kind) ? amount : 0);
        long at = (long) (Math.max(0, last) * share);
        plan.add(new Fault(at, kind, slot(kind, settings, random), amount));
      }
    }
    plan.sort(Comparator.comparingLong(Fault::at));
    return plan;
  }

  private static boolean possible(FaultKind kind, ChaosSettings settings) {
    boolean disk = kind == FaultKind.DISK_FULL;
    return !(kind.isOfServer() && !settings.store().isServer())
        && !(kind.isOfProxy() && settings.store() != StoreKind.PROXIED)
        && !(disk && settings.store() != StoreKind.SQLITE)
        && !(kind == FaultKind.KILL_CLIENT && settings.clients() == 0);
  }

  private static int slot(FaultKind kind, ChaosSettings settings, Random random) {
    if (kind == FaultKind.KILL_CLIENT) {
      return settings.nodes() + random.nextInt(settings.clients());
    }
    return random.nextInt(kind.isOfProxy() ? settings.processes() : settings.nodes());
  }

  private static int amount(FaultKind kind, Random random) {
    return switch (kind) {
      case CUT -> random.nextBoolean() ? LOST_ANSWER : random.nextInt(MOST_BYTES);
      case PAUSE, STANDSTILL ->
          (int) OptionSet.LOCK.toMillis() + random.nextInt(BEYOND_LOCKS, FAR_BEYOND_LOCKS);
      case FREEZE -> FREEZE_MILLIS;
      case DELAY -> DELAY_MILLIS;
      case DISK_FULL -> FULL_MILLIS;
      case KILL, KILL_CLIENT, STOP, HEAP, TERMINATE, CRASH -> 0;
    };
  }

  /** Whether its amount is the time after which it is over, which is that of the run. */
  private static boolean lasts(FaultKind kind) {
    return kind == FaultKind.PAUSE
        || kind == FaultKind.STANDSTILL
        || kind == FaultKind.FREEZE
        || kind == FaultKind.DISK_FULL;
  }

  /** The options of the n-th node that is born: each set before one comes again. */
  public static OptionSet options(ChaosSettings settings, int birth) {
    List<OptionSet> all = OptionSet.of(settings.store());
    int round = birth / all.size();
    Random random = new Random((settings.seed() ^ BIRTH_SALT) + round);
    List<OptionSet> mixed = new ArrayList<>(all);
    Collections.shuffle(mixed, random);
    return mixed.get(birth % all.size());
  }
}
