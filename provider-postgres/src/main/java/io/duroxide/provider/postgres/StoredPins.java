package io.duroxide.provider.postgres;

import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionPin;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Pins in a form in which text compares as their three numbers do. */
final class StoredPins {
  /** As the fetch of turns knows it. */
  private static final Pattern FORM = Pattern.compile("(\\d{19})\\.(\\d{19})\\.(\\d{19})");

  private StoredPins() {}

  static String write(Semver version) {
    return String.format(
        Locale.ROOT, "%019d.%019d.%019d", version.major(), version.minor(), version.patch());
  }

  /** A pin that cannot be read is written as it is. */
  static @Nullable String write(@Nullable ExecutionPin pin) {
    return pin == null ? null : pin.version().map(StoredPins::write).orElse(pin.text());
  }

  static @Nullable ExecutionPin read(@Nullable String stored) {
    if (stored == null) {
      return null;
    }
    Matcher form = FORM.matcher(stored);
    return form.matches()
        ? ExecutionPin.of(Semver.of(number(form, 1), number(form, 2), number(form, 3)))
        : new ExecutionPin(stored);
  }

  private static long number(Matcher form, int group) {
    return Long.parseLong(form.group(group));
  }
}
