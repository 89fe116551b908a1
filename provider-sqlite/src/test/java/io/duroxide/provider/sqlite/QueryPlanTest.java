package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A partial index that the planner does not recognise is silently left unused. */
@DisplayName("Query plans")
class QueryPlanTest {
  private static final List<Class<?>> STATEMENTS =
      List.of(
          Backlog.class,
          CustomStatuses.class,
          DeletionPreview.class,
          Executions.class,
          Hierarchy.class,
          History.class,
          Inspection.class,
          Instances.class,
          Lanes.class,
          Listing.class,
          MergedWalk.class,
          Nodes.class,
          Orphans.class,
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
          "Sessions.CLEAN_UP");

  /** Asked only if few rows are left to put in order. */
  private static final Set<String> SORTS =
      Set.of("Listing.ENDED", "Listing.OF_ID_PREFIX", "Listing.OF_PARENT");

  @Test
  @DisplayName("no statement walks along a table or sorts one")
  void indexed() throws SQLException, IllegalAccessException {
    List<String> walks = new ArrayList<>();
    try (Sql sql = Database.inMemory(SqliteOptions.DEFAULT).openWriter()) {
      for (Class<?> type : STATEMENTS) {
        for (Field field : type.getDeclaredFields()) {
          String name = type.getSimpleName() + "." + field.getName();
          if (isStatement(field) && !WALKS.contains(name)) {
            plan(sql, field).stream()
                .filter(step -> isWalk(step) || (isSort(step) && !SORTS.contains(name)))
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
    return ofTable && !step.equals("SCAN t");
  }

  private static boolean isSort(String step) {
    return step.startsWith("USE TEMP B-TREE FOR ORDER");
  }

  @Test
  @DisplayName("every listing walks along the index that was made for it")
  void listings() throws SQLException, IllegalAccessException, NoSuchFieldException {
    Map<Field, String> indexes =
        Map.of(
            Listing.class.getDeclaredField("ALL"), "duroxide_instance_created",
            Listing.class.getDeclaredField("OF_PARENT"), "duroxide_instance_parent",
            Listing.class.getDeclaredField("OF_ID_PREFIX"), "duroxide_instance_id",
            Listing.class.getDeclaredField("ENDED"), "duroxide_instance_completed",
            MergedWalk.class.getDeclaredField("OF_NAME_AND_STATUS"), "duroxide_instance_listed",
            Selection.class.getDeclaredField("FINISHED"), "duroxide_instance_completed",
            Selection.class.getDeclaredField("ANY"), "duroxide_instance_created");
    try (Sql sql = Database.inMemory(SqliteOptions.DEFAULT).openWriter()) {
      for (Map.Entry<Field, String> expected : indexes.entrySet()) {
        assertThat(plan(sql, expected.getKey()).getFirst())
            .as(expected.getKey().getName())
            .startsWith("SEARCH i USING INDEX " + expected.getValue() + " (");
      }
    }
  }
}
