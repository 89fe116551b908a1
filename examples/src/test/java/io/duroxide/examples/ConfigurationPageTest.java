package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Limits;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.runtime.AutoPruneConfig;
import io.duroxide.runtime.PruneSweep;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.runtime.SessionOptions;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The tables of options name every option there is, with the default it really has. */
@DisplayName("The configuration page")
class ConfigurationPageTest {
  /** Set by one call, {@code unregisteredBackoff}, and read by two. */
  private static final Map<String, String> READ_AS =
      Map.of("unregisteredBackoff", "unregisteredBaseDelay");

  @Test
  @DisplayName("names every option of a runtime")
  void runtime() throws ReflectiveOperationException {
    Map<String, String> defaults = new TreeMap<>();
    for (Method option : RuntimeOptions.Builder.class.getDeclaredMethods()) {
      if (option.getReturnType() == RuntimeOptions.Builder.class
          && option.getParameterCount() > 0) {
        String reader = READ_AS.getOrDefault(option.getName(), option.getName());
        Object value = RuntimeOptions.class.getMethod(reader).invoke(RuntimeOptions.defaults());
        defaults.put(option.getName(), shown(value));
      }
    }
    check("RuntimeOptions", defaults);
  }

  @Test
  @DisplayName("names every option of sessions, pruning, limits and stores")
  void records() throws ReflectiveOperationException {
    check("SessionOptions", defaults(SessionOptions.DEFAULT));
    check("Limits", defaults(Limits.DEFAULT));
    check("SqliteOptions", defaults(SqliteOptions.DEFAULT));
    check("PostgresOptions", defaults(PostgresOptions.DEFAULT));
    check("AutoPruneConfig", defaults(AutoPruneConfig.PLAIN));

    Map<String, String> sweep = defaults(PruneSweep.every(Duration.ofHours(1)));
    sweep.replace("interval", ""); // has no default
    check("PruneSweep", sweep);
  }

  private static Map<String, String> defaults(Record options) throws ReflectiveOperationException {
    Map<String, String> defaults = new TreeMap<>();
    for (RecordComponent component : options.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(options);
      if (value instanceof Record group) {
        defaults.putAll(defaults(group));
      } else {
        defaults.put(component.getName(), shown(value));
      }
    }
    return defaults;
  }

  private static void check(String section, Map<String, String> defaults) {
    Map<String, String> table = table(section);

    assertThat(table.keySet()).as(section).isEqualTo(defaults.keySet());
    defaults.forEach((option, value) -> {
      if (!value.isEmpty()) {
        assertThat(table.get(option)).as(section + "." + option).startsWith(value);
      }
    });
  }

  /** The second column of the rows below a headline, by the first. */
  private static Map<String, String> table(String section) {
    List<String> lines = Guide.lines(Guide.FOLDER.resolve("configuration.md"));
    int begin = lines.indexOf("## " + section);
    assertThat(begin).as("a headline for " + section).isNotNegative();
    Map<String, String> rows = new HashMap<>();
    lines.stream()
        .skip(begin + 1L)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .forEach(cells -> rows.put(cells.get(1).replace("`", ""), cells.get(2)));
    return new TreeMap<>(rows);
  }

  /** How the page writes a value; empty for what it describes in words. */
  private static String shown(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Integer number when number == Integer.MAX_VALUE -> "no limit";
      case Integer number -> String.format(Locale.ROOT, "%,d", number);
      case Boolean flag -> flag.toString();
      case Duration time -> shown(time);
      case Enum<?> constant -> "`" + constant + "`";
      default -> "";
    };
  }

  private static String shown(Duration time) {
    if (time.toMillisPart() > 0) {
      return time.toMillis() + " ms";
    }
    if (time.toSecondsPart() > 0 || time.isZero()) {
      return time.toSeconds() + " s";
    }
    return time.toMinutesPart() > 0 ? time.toMinutes() + " min" : time.toHours() + " h";
  }
}
