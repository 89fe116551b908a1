package io.duroxide.provider.tck;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the whole kit against a provider, the random comparison with the in-memory provider
 * included, and prints a conformance table.
 *
 * <p>The only argument is the name of a {@link ProviderFixture} on the class path. The exit code is
 * 0 if nothing failed, 1 if an entry failed, 2 if there is nothing to run.
 */
public final class TckMain {
  private TckMain() {}

  /** Runs the kit and ends the process. */
  public static void main(String[] args) {
    System.exit(run(args, System.out));
  }

  /** Every category of the kit, so that a suite of your own can prove that it leaves none out. */
  public static List<Class<?>> categories() {
    return Suites.all().stream().<Class<?>>map(Class::getSuperclass).toList();
  }

  /** Everything that is run: the categories and the random comparison. */
  static List<Class<?>> suites() {
    return Stream.<Class<?>>concat(Suites.all().stream(), Stream.of(ComparisonSuite.class))
        .toList();
  }

  static int run(String[] args, PrintStream out) {
    if (args.length != 1) {
      out.println("usage: TckMain <class of a ProviderFixture>");
      return 2;
    }
    try {
      String name = NamedFixture.constructor(args[0]).getDeclaringClass().getName();
      System.setProperty(NamedFixture.PROPERTY, name);
    } catch (ReflectiveOperationException e) {
      out.println(NamedFixture.advice(args[0]));
      return 2;
    }
    ConformanceReport report = ConformanceRun.of(suites());
    out.print(report.text());
    return report.passed() ? 0 : 1;
  }
}
