package io.duroxide.proof.chaos;

import io.duroxide.api.DataConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The long form of the lane: one run after the other until the time is over or one is red. */
public final class ChaosMain {
  private static final int TRIES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final Map<String, String> options;

  private ChaosMain(Map<String, String> options) {
    this.options = options;
  }

  /**
   * Options: {@code --minutes 60}, {@code --seed S}, {@code --only file}, {@code --tries 5} for
   * each smaller run, {@code --again folder} to check what a run left once more.
   */
  public static void main(String[] arguments) {
    Map<String, String> options = new TreeMap<>();
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      options.put(arguments[i], arguments[i + 1]);
    }
    new ChaosMain(options).run();
    System.exit(0);
  }

  private void run() {
    if (options.containsKey("--again")) {
      ChaosRun.checkAgain(Path.of(options.get("--again"))).forEach(System.out::println);
      return;
    }
    List<ChaosForm> forms = new ArrayList<>(List.of(ChaosForm.values()));
    String only = options.get("--only");
    if (only != null) {
      forms.removeIf(form -> !form.name().equals(only.toUpperCase(Locale.ROOT)));
    }
    long seed =
        options.containsKey("--seed")
            ? Long.parseLong(options.get("--seed"))
            : System.currentTimeMillis();
    Duration length = Duration.ofMinutes(Long.parseLong(options.getOrDefault("--minutes", "0")));
    long until = System.nanoTime() + length.toNanos();
    int tries = Integer.parseInt(options.getOrDefault("--tries", Integer.toString(TRIES)));
    ChaosLane lane = new ChaosLane(Path.of("target", "proof", "chaos"), tries, PATIENCE);
    Map<FaultKind, Integer> faults = new EnumMap<>(FaultKind.class);
    long programs = 0;
    long runs = 0;
    do {
      for (ChaosForm form : forms) {
        System.out.printf("%s, seed %d%n", form, seed);
        RunReport report = lane.run(form, seed);
        System.out.printf("took %s, settled after %s%n", report.took(), report.settling());
        report.struck().forEach((kind, count) -> faults.merge(kind, count, Integer::sum));
        programs += report.settings().load().programs().size();
        runs++;
      }
      seed++;
    } while (System.nanoTime() < until);
    System.out.printf("green: %d runs, %d programs, faults %s%n", runs, programs, faults);
    Map<String, Object> figures = new TreeMap<>(Map.of("runs", runs, "programs", programs));
    faults.forEach((kind, count) -> figures.put(kind.name(), count));
    System.out.println("figures: " + DataConverter.json().encodeJson(figures));
  }
}
