package io.duroxide.proof.check;

import io.duroxide.proof.program.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** IV-21 to IV-24: what was seen from outside, how long calls took, what stands in the logs. */
final class RunCheck implements InvariantCheck {
  /** In addresses and nowhere else. */
  static final String SECRET = "a-secret-of-the-lane";

  private static final long TOLERANCE = 1_000;

  /** Where this process has to wait for a processor, its server has to, too, and more than once. */
  private static final long STARVED = 5;

  private static final long SETTLING = 60_000;

  /** How much of a payload a line may show. */
  private static final int SHOWN = 200;

  /** Faults that a node may call an error. */
  private static final Set<String> EXPLAINING =
      Set.of("CRASH", "CUT", "FREEZE", "DELAY", "TERMINATE", "DISK_FULL", "HEAP");

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    RunFacts facts = evidence.facts();
    facts.open().forEach(open -> breaches.add("IV-21", open, "it did not end in time"));
    breaches.unless(
        facts.settledMillis() <= SETTLING,
        "IV-21",
        "run",
        "everything had ended only after %d ms".formatted(facts.settledMillis()));
    facts.health().forEach(text -> breaches.add("IV-21", "health", text));
    facts.left().forEach(text -> breaches.add("IV-23", "process", text));
    calls(evidence, breaches);
    logs(evidence, breaches);
    return breaches.all();
  }

  /** A process that did not get to run cannot return from a call. */
  private static void calls(Evidence evidence, Breaches breaches) {
    List<Entry.Stall> stalls =
        evidence.entries().stream()
            .filter(Entry.Stall.class::isInstance)
            .map(Entry.Stall.class::cast)
            .toList();
    for (CallTrail trail : evidence.trails()) {
      for (CallTrail.Attempt attempt : trail.attempts()) {
        Entry.Answer answer = attempt.answer();
        if (answer == null) {
          continue;
        }
        long from = attempt.intent().at();
        long stalled =
            stalls.stream()
                .filter(stall -> stall.at() > from && stall.at() - stall.millis() < answer.at())
                .mapToLong(Entry.Stall::millis)
                .sum();
        long took = answer.at() - from;
        breaches.unless(
            took <= attempt.intent().limit() + TOLERANCE + STARVED * stalled,
            "IV-22",
            trail.instance(),
            "%s took %d ms, its limit is %d ms"
                .formatted(trail.deed(), took, attempt.intent().limit()));
      }
    }
  }

  /** Programs fail, and some store more than they may. */
  private static boolean isAskedFor(String line) {
    return line.contains("orchestration failed instance_id=") || line.contains("key 'big'");
  }

  private static void logs(Evidence evidence, Breaches breaches) {
    boolean explained =
        evidence.facts().incidents().stream()
            .anyMatch(incident -> EXPLAINING.contains(incident.kind()));
    List<String> payloads =
        evidence.programs().stream()
            .map(Program::toJson)
            .filter(json -> json.length() > SHOWN)
            .map(json -> json.substring(0, SHOWN + 1))
            .toList();
    try (Stream<Path> files = Files.list(evidence.logs())) {
      for (Path file : files.sorted().toList()) {
        for (String line : Files.readAllLines(file)) {
          String where = file.getFileName().toString();
          breaches.unless(
              explained || !line.contains(" ERROR ") || isAskedFor(line),
              "IV-24",
              where,
              "an error: " + line);
          breaches.unless(!line.contains(SECRET), "IV-24", where, "it shows a password");
          breaches.unless(
              line.length() <= SHOWN || payloads.stream().noneMatch(line::contains),
              "IV-24",
              where,
              "a whole payload: " + line.substring(0, Math.min(line.length(), 2 * SHOWN)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
