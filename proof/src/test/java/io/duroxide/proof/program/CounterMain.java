package io.duroxide.proof.program;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The long form of the counter; the argument says how many runs each form has. */
public final class CounterMain {
  private CounterMain() {}

  /** Prints what was right; ends with 1 if anything was wrong. */
  public static void main(String[] arguments) throws IOException {
    int runs = Integer.parseInt(arguments[0]);
    boolean right = true;
    StringJoiner figures = new StringJoiner(", ", "figures: {", "}");
    for (CounterForm form : CounterForm.values()) {
      Path folder = Files.createTempDirectory(Path.of("target"), "counter");
      List<String> wrong = form.wrong(folder, runs);
      wrong.forEach(System.out::println);
      System.out.printf("%s: %d of %d right%n", form, runs - wrong.size(), runs);
      figures.add(
          "\"%s\": %d".formatted(form.name().toLowerCase(Locale.ROOT), runs - wrong.size()));
      right &= wrong.isEmpty();
    }
    System.out.println(figures);
    System.exit(right ? 0 : 1);
  }
}
