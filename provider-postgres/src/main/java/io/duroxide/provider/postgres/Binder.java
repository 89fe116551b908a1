package io.duroxide.provider.postgres;

import io.duroxide.provider.StoredText;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Fills the parameters of a statement one after the other.
 *
 * <p>Arrays have an entry for each row of a list, and are null if there are none or all are. A null
 * has the type of its array, because the driver prepares a statement anew when a type changes.
 * Confined to one thread.
 */
final class Binder {
  private final PGConnection connection;
  private final PreparedStatement statement;
  private int at = 1;

  Binder(PGConnection connection, PreparedStatement statement) {
    this.connection = connection;
    this.statement = statement;
  }

  void number(@Nullable Long value) throws SQLException {
    if (value == null) {
      statement.setNull(at++, Types.BIGINT);
    } else {
      statement.setLong(at++, value);
    }
  }

  void integer(int value) throws SQLException {
    statement.setInt(at++, value);
  }

  void maybeInteger(@Nullable Integer value) throws SQLException {
    if (value == null) {
      statement.setNull(at++, Types.INTEGER);
    } else {
      statement.setInt(at++, value);
    }
  }

  void flag(boolean value) throws SQLException {
    statement.setBoolean(at++, value);
  }

  void text(@Nullable String value) throws SQLException {
    statement.setString(at++, StoredText.stored(value));
  }

  /** Rows as {@link RowText} writes them. */
  void rows(String value) throws SQLException {
    statement.setString(at++, value);
  }

  void uuid(@Nullable UUID value) throws SQLException {
    if (value == null) {
      statement.setNull(at++, Types.OTHER, "uuid");
    } else {
      statement.setObject(at++, value);
    }
  }

  <T> void longs(List<T> rows, ToLongFunction<T> value) throws SQLException {
    long[] values = new long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.applyAsLong(rows.get(i));
    }
    array("int8", values.length == 0 ? null : values);
  }

  <T> void maybeLongs(List<T> rows, Function<T, @Nullable Long> value) throws SQLException {
    @Nullable Long[] values = new @Nullable Long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(rows.get(i));
    }
    array("int8", orNull(values));
  }

  <T> void ints(List<T> rows, ToLongFunction<T> value) throws SQLException {
    int[] values = new int[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (int) value.applyAsLong(rows.get(i));
    }
    array("int4", values.length == 0 ? null : values);
  }

  <T> void maybeInts(List<T> rows, Function<T, @Nullable Integer> value) throws SQLException {
    @Nullable Integer[] values = new @Nullable Integer[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(rows.get(i));
    }
    array("int4", orNull(values));
  }

  <T> void shorts(List<T> rows, ToLongFunction<T> value) throws SQLException {
    short[] values = new short[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) value.applyAsLong(rows.get(i));
    }
    array("int2", values.length == 0 ? null : values);
  }

  /** Null also if none is true: functions take a missing flag for false. */
  <T> void flags(List<T> rows, Predicate<T> value) throws SQLException {
    boolean[] values = new boolean[rows.size()];
    boolean any = false;
    for (int i = 0; i < values.length; i++) {
      values[i] = value.test(rows.get(i));
      any |= values[i];
    }
    array("bool", any ? values : null);
  }

  <T> void texts(List<T> rows, Function<T, @Nullable String> value) throws SQLException {
    @Nullable String[] values = new @Nullable String[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = StoredText.stored(value.apply(rows.get(i)));
    }
    array("text", orNull(values));
  }

  /** An array that is there even if it has no entries; they are stored text already. */
  void someTexts(@Nullable List<String> values) throws SQLException {
    array("text", values == null ? null : values.toArray(new String[0]));
  }

  <T> void uuids(List<T> rows, Function<T, @Nullable UUID> value) throws SQLException {
    @Nullable UUID[] values = new @Nullable UUID[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(rows.get(i));
    }
    array("uuid", orNull(values));
  }

  private static <E> @Nullable E @Nullable [] orNull(@Nullable E[] values) {
    for (E value : values) {
      if (value != null) {
        return values;
      }
    }
    return null;
  }

  private void array(String type, @Nullable Object values) throws SQLException {
    if (values == null) {
      statement.setNull(at++, Types.ARRAY, "_" + type);
    } else {
      statement.setArray(at++, connection.createArrayOf(type, values));
    }
  }
}
