package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.Lineage;
import io.duroxide.provider.OrchestrationFilter;
import io.duroxide.provider.TimeRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on {@code instance i}. Only those that a filter has become part of the statement, so
 * that the server can choose the index that suits them. Confined to one thread.
 */
final class Criteria {
  private final StringBuilder conditions = new StringBuilder();
  private final List<@Nullable Object> values = new ArrayList<>();

  /** What a filter asks for. */
  static Criteria of(InstanceFilter filter) {
    Criteria criteria = new Criteria();
    if (filter.instanceIds() != null) {
      criteria.and("i.id = ANY (?)", List.copyOf(filter.instanceIds()));
    }
    criteria.beginsWith("i.id", filter.idPrefix());
    if (!filter.statuses().isEmpty()) {
      criteria.and(
          "i.status = ANY (?)", filter.statuses().stream().map(ExecutionStatus::stored).toList());
    }
    criteria.orchestration(filter.orchestration());
    criteria.lineage(filter.lineage());
    criteria.range("i.created_at", filter.created());
    criteria.range("i.completed_at", filter.completed());
    return criteria;
  }

  Criteria and(String condition, @Nullable Object... parameters) {
    conditions.append("AND ").append(condition).append('\n');
    values.addAll(List.of(parameters));
    return this;
  }

  /** The conditions, each with an AND before it. */
  String text() {
    return conditions.toString();
  }

  /** Their values, followed by a statement's own. */
  @Nullable Object[] values(@Nullable Object... own) {
    List<@Nullable Object> all = new ArrayList<>(values);
    all.addAll(List.of(own));
    return all.toArray();
  }

  private void orchestration(OrchestrationFilter orchestration) {
    if (orchestration.isPrefix()) {
      beginsWith("i.name", orchestration.name());
    } else {
      and("i.name = ?", orchestration.name());
    }
    if (orchestration.version() != null) {
      and("i.version = ?", orchestration.version());
    }
  }

  private void lineage(Lineage lineage) {
    switch (lineage) {
      case Lineage.Any any -> {}
      case Lineage.Roots roots ->
          and(
              "(i.parent IS NULL OR NOT EXISTS"
                  + " (SELECT FROM @.instance p WHERE p.id = i.parent AND p.stage > 1))");
      case Lineage.ChildrenOf children -> and("i.parent = ?", children.parent());
      case Lineage.TreeOf tree -> and("i.key IN (" + Hierarchy.TREE_KEYS + ")", tree.root());
    }
  }

  private void range(String column, TimeRange range) {
    if (range.from() != null) {
      and(column + " >= ?", Millis.of(range.from()));
    }
    if (range.before() != null) {
      and(column + " < ?", Millis.of(range.before()));
    }
  }

  /** Also as a range, which an index can serve; stored control characters sort otherwise. */
  private void beginsWith(String column, String prefix) {
    if (prefix.isEmpty()) {
      return;
    }
    and("starts_with(" + column + ", ?)", prefix);
    String end = endOf(prefix);
    boolean isPlain = prefix.chars().allMatch(c -> c >= ' ');
    if (isPlain && end != null) {
      and(column + " >= ? AND " + column + " < ?", prefix, end);
    }
  }

  /** The least text behind all that begin with {@code prefix}; null if there is none. */
  private static @Nullable String endOf(String prefix) {
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
