package io.duroxide.proof.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks for everything that does not hold. */
public final class Checker {
  private static final List<InvariantCheck> ALL =
      List.of(
          new StartCheck(),
          new MailCheck(),
          new HistoryCheck(),
          new LockCheck(),
          new ReplayCheck(),
          new ModelCheck(),
          new RelationCheck(),
          new ActivityCheck(),
          new RestCheck(),
          new RunCheck(),
          new DatabaseCheck());

  /** What cannot be checked yet, and why. */
  public static final Map<String, String> NOTHING_YET =
      Map.of(
          "IV-12", "deadlines are not decided by the order of arrival yet",
          "labels", "instances have none yet",
          "requests", "there are none yet",
          "limit slots", "there are none yet",
          "transactional activities", "there are none yet",
          "receipts", "there are none yet",
          "timers nothing waits for", "they stay until their time yet",
          "clock steps", "the stores do not keep order under them yet");

  private Checker() {}

  /** All breaches; none if all is well. */
  public static List<Breach> check(Scene scene) {
    Evidence evidence = Evidence.of(scene);
    List<Breach> breaches = new ArrayList<>();
    for (InvariantCheck check : ALL) {
      breaches.addAll(check.breaches(evidence));
    }
    return breaches;
  }
}
