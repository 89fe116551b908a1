package io.duroxide.provider.postgres;

import org.jspecify.annotations.Nullable;

/**
 * Text as the database keeps it. PostgreSQL stores no U+0000, so that character is written as an
 * escape and a digit; so is the escape itself, and everything else stands as it is.
 */
final class Text {
  /** Stands before one digit in stored text, and may be used to separate two stored texts. */
  static final char ESCAPE = '\u001a';

  private static final char NUL = '\u0000';
  private static final char STANDS_FOR_NUL = '0';
  private static final char STANDS_FOR_ESCAPE = '1';

  private Text() {}

  static @Nullable String stored(@Nullable String text) {
    return text == null ? null : escaped(text);
  }

  static String escaped(String text) {
    if (text.indexOf(NUL) < 0 && text.indexOf(ESCAPE) < 0) {
      return text;
    }
    StringBuilder stored = new StringBuilder(text.length() + 8);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == NUL) {
        stored.append(ESCAPE).append(STANDS_FOR_NUL);
      } else if (c == ESCAPE) {
        stored.append(ESCAPE).append(STANDS_FOR_ESCAPE);
      } else {
        stored.append(c);
      }
    }
    return stored.toString();
  }

  static @Nullable String read(@Nullable String stored) {
    return stored == null ? null : unescaped(stored);
  }

  static String unescaped(String stored) {
    if (stored.indexOf(ESCAPE) < 0) {
      return stored;
    }
    StringBuilder text = new StringBuilder(stored.length());
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (c == ESCAPE && i + 1 < stored.length()) {
        i++;
        text.append(stored.charAt(i) == STANDS_FOR_NUL ? NUL : ESCAPE);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }
}
