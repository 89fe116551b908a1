package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.Lineage;
import io.duroxide.provider.OrchestrationFilter;
import io.duroxide.provider.TimeRange;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A filter as a condition on {@code instance i}, for statements that walk along an index of their
 * own choice: the unary plus keeps the planner from choosing another. The lists of a filter, ids
 * and trees, are not in it; see {@link #listed}.
 */
final class Criteria {
  /** The first parameter that a statement may use for itself. */
  static final int FREE = 14;

  static final String HOLD =
      """
      i.stage = 2
      AND +i.id >= ?1 AND (?2 IS NULL OR +i.id < ?2)
      AND (?3 IS NULL OR instr(?3, '|' || i.status || '|') > 0)
      AND (?4 IS NULL OR +i.name = ?4)
      AND (?5 IS NULL OR (+i.name >= ?5 AND (?6 IS NULL OR +i.name < ?6)))
      AND (?7 IS NULL OR i.version = ?7)
      AND i.created_at >= ?8 AND +i.created_at < ?9
      AND (?10 IS NULL OR +i.completed_at >= ?10) AND (?11 IS NULL OR +i.completed_at < ?11)
      AND (?12 = 0 OR i.parent IS NULL
        OR NOT EXISTS (SELECT 1 FROM duroxide_instance p WHERE p.id = i.parent AND p.stage = 2))
      AND (?13 IS NULL OR +i.parent = ?13)
      """;

  private final InstanceFilter filter;

  Criteria(InstanceFilter filter) {
    this.filter = filter;
  }

  /** The values of {@link #HOLD}, followed by a statement's own. */
  @Nullable Object[] values(@Nullable Object... own) {
    OrchestrationFilter orchestration = filter.orchestration();
    String namePrefix = orchestration.isPrefix() ? orchestration.name() : null;
    Lineage lineage = filter.lineage();
    @Nullable Object[] values = {
      filter.idPrefix(),
      endOf(filter.idPrefix()),
      statuses(),
      orchestration.isPrefix() ? null : orchestration.name(),
      namePrefix,
      namePrefix == null ? null : endOf(namePrefix),
      orchestration.version(),
      from(filter.created()),
      before(filter.created()),
      millis(filter.completed().from()),
      millis(filter.completed().before()),
      lineage instanceof Lineage.Roots ? 1 : 0,
      lineage instanceof Lineage.ChildrenOf children ? children.parent() : null
    };
    @Nullable Object[] all = Arrays.copyOf(values, values.length + own.length);
    System.arraycopy(own, 0, all, values.length, own.length);
    return all;
  }

  private @Nullable String statuses() {
    Set<ExecutionStatus> statuses = filter.statuses();
    return statuses.isEmpty()
        ? null
        : statuses.stream().map(ExecutionStatus::stored).collect(Collectors.joining("|", "|", "|"));
  }

  /** The ids that alone can pass, each once; null if the filter does not list any. */
  static @Nullable Set<String> listed(Sql sql, InstanceFilter filter) throws SQLException {
    List<String> ids = filter.instanceIds();
    Set<String> listed = ids == null ? null : new LinkedHashSet<>(ids);
    if (!(filter.lineage() instanceof Lineage.TreeOf tree)) {
      return listed;
    }
    Set<String> members =
        new Hierarchy(sql)
            .tree(tree.root()).stream()
                .map(Hierarchy.Node::id)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    if (listed != null) {
      members.retainAll(listed);
    }
    return members;
  }

  /** The first instant of a range. */
  static long from(TimeRange range) {
    Instant from = range.from();
    return from == null ? Long.MIN_VALUE : StoreTime.millis(from);
  }

  /** The first instant behind a range. */
  static long before(TimeRange range) {
    Instant before = range.before();
    return before == null ? StoreTime.NEVER : StoreTime.millis(before);
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : StoreTime.millis(instant);
  }

  /** The least text behind all that begin with {@code prefix}; null if there is none. */
  static @Nullable String endOf(String prefix) {
    int end = prefix.length();
    while (end > 0) {
      int last = prefix.codePointBefore(end);
      end -= Character.charCount(last);
      if (last < Character.MAX_CODE_POINT) {
        int next = last + 1 == Character.MIN_SURROGATE ? Character.MAX_SURROGATE + 1 : last + 1;
        return prefix.substring(0, end) + Character.toString(next);
      }
    }
    return null;
  }
}
