package io.duroxide.provider.postgres;

import io.duroxide.provider.StoredText;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A row with names, as functions take it: a JSON object. Whatever is absent is left out, and texts
 * are in their stored form. Confined to one thread.
 */
final class RowText {
  private static final int TYPICAL_LENGTH = 1024;
  private static final HexFormat HEX = HexFormat.of();

  private final StringBuilder out = new StringBuilder(TYPICAL_LENGTH);

  private RowText() {}

  /** What {@code fields} writes of a value. */
  static <T> String of(T value, BiConsumer<RowText, T> fields) {
    RowText row = new RowText();
    row.object(value, fields);
    return row.out.toString();
  }

  /** Rows in the order of a list. */
  static <T> String listOf(List<T> values, BiConsumer<RowText, T> fields) {
    RowText rows = new RowText();
    rows.list(values, fields);
    return rows.out.toString();
  }

  /** Rows that are written already. */
  static String list(List<String> rows) {
    return rows.stream().collect(Collectors.joining(",", "[", "]"));
  }

  RowText text(String name, @Nullable String value) {
    if (value != null) {
      name(name);
      string(StoredText.escaped(value));
    }
    return this;
  }

  RowText number(String name, @Nullable Long value) {
    if (value != null) {
      name(name);
      out.append(value.longValue());
    }
    return this;
  }

  RowText integer(String name, @Nullable Integer value) {
    return number(name, value == null ? null : value.longValue());
  }

  RowText uuid(String name, @Nullable UUID value) {
    if (value != null) {
      name(name);
      out.append('"').append(value).append('"');
    }
    return this;
  }

  /** Left out if it is false. */
  RowText flag(String name, boolean value) {
    if (value) {
      name(name);
      out.append(true);
    }
    return this;
  }

  /** A row inside this one. */
  <T> RowText row(String name, @Nullable T value, BiConsumer<RowText, T> fields) {
    if (value != null) {
      name(name);
      object(value, fields);
    }
    return this;
  }

  /** Rows inside this one; left out if there are none. */
  <T> RowText rows(String name, List<T> values, BiConsumer<RowText, T> fields) {
    if (!values.isEmpty()) {
      name(name);
      list(values, fields);
    }
    return this;
  }

  /** Texts that need no stored form; left out if there are none. */
  RowText plainTexts(String name, List<String> values) {
    if (!values.isEmpty()) {
      name(name);
      out.append('[');
      for (String value : values) {
        separate();
        string(value);
      }
      out.append(']');
    }
    return this;
  }

  private <T> void list(List<T> values, BiConsumer<RowText, T> fields) {
    out.append('[');
    for (T value : values) {
      separate();
      object(value, fields);
    }
    out.append(']');
  }

  private <T> void object(T value, BiConsumer<RowText, T> fields) {
    out.append('{');
    fields.accept(this, value);
    out.append('}');
  }

  private void name(String name) {
    separate();
    out.append('"').append(name).append("\":");
  }

  private void separate() {
    char last = out.charAt(out.length() - 1);
    if (last != '{' && last != '[') {
      out.append(',');
    }
  }

  private void string(String value) {
    out.append('"');
    int from = 0;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        out.append(value, from, i).append('\\');
        if (c < ' ') {
          out.append('u').append(HEX.toHexDigits(c));
        } else {
          out.append(c);
        }
        from = i + 1;
      }
    }
    out.append(value, from, value.length()).append('"');
  }
}
