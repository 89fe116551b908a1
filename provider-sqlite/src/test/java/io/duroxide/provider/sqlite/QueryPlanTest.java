package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A partial index that the planner does not recognise is silently left unused. */
@DisplayName("Query plans")
class QueryPlanTest {
  private static final List<Class<?>> STATEMENTS =
      List.of(
          CustomStatuses.class,
          Deletion.class,
          Executions.class,
          Hierarchy.class,
          History.class,
          Inspection.class,
          Instances.class,
          Lanes.class,
          Listing.class,
          Messages.class,
          Pruning.class,
          Reads.class,
          Selection.class,
          Sessions.class,
          WorkerQueue.class);

  /** Cold ones, whose answer depends on every row anyway. */
  private static final Set<String> WALKS =
      Set.of(
          "Lanes.SWEEP",
          "Listing.IDS",
          "Listing.IDS_BY_STATUS",
          "Messages.ORPHANS",
          "Selection.ANY",
          "Selection.ENDED",
          "Sessions.CLEAN_UP");

  @Test
  @DisplayName("no statement walks along a table or sorts one")
  void indexed() throws SQLException, IllegalAccessException {
    List<String> walks = new ArrayList<>();
    try (Sql sql = new Database(null, SqliteOptions.DEFAULT).openWriter()) {
      for (Class<?> type : STATEMENTS) {
        for (Field field : type.getDeclaredFields()) {
          String name = type.getSimpleName() + "." + field.getName();
          if (isStatement(field) && !WALKS.contains(name)) {
            plan(sql, field).stream()
                .filter(QueryPlanTest::isWalk)
                .forEach(step -> walks.add(name + ": " + step));
          }
        }
      }
    }
    assertThat(walks).isEmpty();
  }

  private static boolean isStatement(Field field) {
    return Modifier.isStatic(field.getModifiers()) && field.getType() == String.class;
  }

  private static List<String> plan(Sql sql, Field field)
      throws SQLException, IllegalAccessException {
    field.setAccessible(true);
    String statement = (String) field.get(null);
    return statement.contains("\n")
        ? sql.list("EXPLAIN QUERY PLAN " + statement, row -> row.getString(4))
        : List.of();
  }

  private static boolean isWalk(String step) {
    boolean ofTable =
        step.matches(
            "SCAN (instance|execution|history|message|work|session|lane|[a-z])( USING.*)?");
    return (ofTable && !step.equals("SCAN t")) || step.startsWith("USE TEMP B-TREE FOR ORDER");
  }
}
