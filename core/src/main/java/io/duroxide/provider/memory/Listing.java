package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Instances in the order in which they are listed: newest first, then by id. */
final class Listing {
  private static final Comparator<Instance> NEWEST_FIRST =
      Comparator.comparing(Instance::createdAt).reversed().thenComparing(Instance::id);

  private final Instances instances;

  Listing(Instances instances) {
    this.instances = instances;
  }

  List<String> ids(Predicate<Instance> wanted) {
    return newestFirst().filter(wanted).map(Instance::id).toList();
  }

  /** Ids by the text of a stored status, which may be none of ours. */
  List<String> idsByStatus(String status) {
    return ids(instance -> instance.status().stored().equals(status));
  }

  InstancePage page(InstanceQuery query) {
    List<Instance> rows =
        newestFirst()
            .filter(instance -> matches(query, instance))
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
        instance.orchestration().orElseThrow(),
        instance.status(),
        instance.output(),
        instance.parent(),
        instance.createdAt(),
        instance.updatedAt());
  }

  private Stream<Instance> newestFirst() {
    return instances.existing().stream().sorted(NEWEST_FIRST);
  }

  private static boolean matches(InstanceQuery query, Instance instance) {
    ExecutionStatus status = instance.status();
    return (query.statuses().isEmpty() || query.statuses().contains(status))
        && beginsWith(instance.orchestration().orElseThrow().name(), query.namePrefix())
        && beginsWith(instance.id(), query.idPrefix())
        && (query.after() == null || Cursor.parse(query.after()).isBefore(instance));
  }

  private static boolean beginsWith(String text, @Nullable String prefix) {
    return prefix == null || text.startsWith(prefix);
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
