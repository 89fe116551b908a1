package io.duroxide.provider;

import org.jspecify.annotations.Nullable;

/**
 * Text as databases keep it, for providers. Databases take well-formed Unicode only, and some take
 * no U+0000: half a surrogate pair is written as an escape, a letter and four digits, U+0000 and
 * the escape itself as an escape and a digit. Everything else stands as it is.
 */
public final class StoredText {
  /** Stands before a digit or a letter in stored text, and may separate two stored texts. */
  public static final char ESCAPE = '\u001a';

  private static final char NUL = '\u0000';
  private static final char FOR_NUL = '0';
  private static final char FOR_ESCAPE = '1';
  private static final char FOR_HALF = 'u';
  private static final int DIGITS = 4;
  private static final int HEX = 16;

  private StoredText() {}

  /** As {@link #escaped}, for a text that may be absent. */
  public static @Nullable String stored(@Nullable String text) {
    return text == null ? null : escaped(text);
  }

  /** The form in which a text is stored. */
  public static String escaped(String text) {
    int clean = cleanPrefix(text);
    if (clean == text.length()) {
      return text;
    }
    StringBuilder stored = new StringBuilder(text.length() + 8).append(text, 0, clean);
    for (int i = clean; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == NUL) {
        stored.append(ESCAPE).append(FOR_NUL);
      } else if (c == ESCAPE) {
        stored.append(ESCAPE).append(FOR_ESCAPE);
      } else if (isPair(text, i)) {
        stored.append(c).append(text.charAt(++i));
      } else if (Character.isSurrogate(c)) {
        stored.append(ESCAPE).append(FOR_HALF).append(Integer.toHexString(c));
      } else {
        stored.append(c);
      }
    }
    return stored.toString();
  }

  /** How much of the text stands as it is. */
  private static int cleanPrefix(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == NUL || c == ESCAPE) {
        return i;
      }
      if (Character.isSurrogate(c)) {
        if (!isPair(text, i)) {
          return i;
        }
        i++;
      }
    }
    return text.length();
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  /** As {@link #unescaped}, for a text that may be absent. */
  public static @Nullable String read(@Nullable String stored) {
    return stored == null ? null : unescaped(stored);
  }

  /** The text that is stored in this form. */
  public static String unescaped(String stored) {
    if (stored.indexOf(ESCAPE) < 0) {
      return stored;
    }
    StringBuilder text = new StringBuilder(stored.length());
    for (int i = 0; i < stored.length(); i++) {
      char c = stored.charAt(i);
      if (c != ESCAPE || i + 1 == stored.length()) {
        text.append(c);
        continue;
      }
      char kind = stored.charAt(++i);
      if (kind == FOR_HALF && i + DIGITS < stored.length()) {
        text.append((char) Integer.parseInt(stored.substring(i + 1, i + 1 + DIGITS), HEX));
        i += DIGITS;
      } else {
        text.append(kind == FOR_NUL ? NUL : ESCAPE);
      }
    }
    return text.toString();
  }
}
