package io.duroxide.provider.memory;

import io.duroxide.provider.ExecutionCode;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.InstanceTimes;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Instances in the order in which they are listed: newest first, then by id. */
final class Listing {
  static final Comparator<Instance> NEWEST_FIRST =
      Comparator.comparing(Instance::createdAt).reversed().thenComparing(Instance::id);

  private final Instances instances;
  private final Selection selection;

  Listing(Instances instances, Selection selection) {
    this.instances = instances;
    this.selection = selection;
  }

  List<String> ids(Predicate<Instance> wanted) {
    return instances.existing().stream()
        .filter(wanted)
        .sorted(NEWEST_FIRST)
        .map(Instance::id)
        .toList();
  }

  /** Ids by the text of a stored status, which may be none of ours. */
  List<String> idsByStatus(String status) {
    return ids(instance -> instance.status().stored().equals(status));
  }

  InstancePage page(InstanceQuery query) {
    Predicate<Instance> behind = behind(query.after());
    List<Instance> rows =
        selection
            .matching(query.filter())
            .filter(behind)
            .sorted(NEWEST_FIRST)
            .limit(query.limit() + 1L)
            .toList();
    boolean more = rows.size() > query.limit();
    List<Instance> page = more ? rows.subList(0, query.limit()) : rows;
    return new InstancePage(
        page.stream().map(Listing::info).toList(), more ? Cursor.of(page.getLast()).text() : null);
  }

  static InstanceInfo info(Instance instance) {
    return new InstanceInfo(
        instance.currentKey(),
        new ExecutionCode(instance.orchestration().orElseThrow(), pin(instance)),
        instance.status(),
        instance.output(),
        instance.customStatus(),
        instance.parentLink(),
        new InstanceTimes(instance.createdAt(), instance.updatedAt(), instance.completedAt()));
  }

  private static @Nullable ExecutionPin pin(Instance instance) {
    Execution current = instance.current();
    return current == null ? null : current.pin();
  }

  private static Predicate<Instance> behind(@Nullable String cursor) {
    return cursor == null ? any -> true : Cursor.parse(cursor)::isBefore;
  }

  /** The last row of a page; the next page begins behind it, whatever was added meanwhile. */
  private record Cursor(Instant createdAt, String id) {
    private static final char SEPARATOR = ':';

    static Cursor of(Instance instance) {
      return new Cursor(instance.createdAt(), instance.id());
    }

    static Cursor parse(String text) {
      int end = text.indexOf(SEPARATOR);
      try {
        long millis = Long.parseLong(text, 0, Math.max(end, 0), 10);
        return new Cursor(Instant.ofEpochMilli(millis), text.substring(end + 1));
      } catch (NumberFormatException notOurs) {
        throw Refusal.invalid(
            "listInstances", "'" + text + "' is not the cursor of a page; begin with the first");
      }
    }

    String text() {
      return createdAt.toEpochMilli() + "" + SEPARATOR + id;
    }

    boolean isBefore(Instance instance) {
      int byTime = createdAt.compareTo(instance.createdAt());
      return byTime > 0 || (byTime == 0 && id.compareTo(instance.id()) < 0);
    }
  }
}
