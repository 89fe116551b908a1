package io.duroxide.management;

import io.duroxide.management.CopyReport.Difference;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceTransfer;
import io.duroxide.provider.ProviderException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One copy of a store, used once. */
final class CopyRun {
  private static final int PAGE = 500;

  private final InstanceTransfer source;
  private final InstanceTransfer target;
  private final StoreComparison comparison;
  private final Runnable step;
  private final Map<String, String> differences = new LinkedHashMap<>();
  private long copied;
  private long alreadyThere;

  CopyRun(InstanceTransfer source, InstanceTransfer target, Runnable step) {
    this.source = source;
    this.target = target;
    this.comparison = new StoreComparison(source, target);
    this.step = step;
  }

  CopyReport run() {
    forEachId(this::copy);
    forEachId(this::compare);
    List<Difference> found =
        differences.entrySet().stream()
            .map(entry -> new Difference(entry.getKey(), entry.getValue()))
            .toList();
    return new CopyReport(copied, alreadyThere, found);
  }

  private void forEachId(Consumer<String> use) {
    @Nullable String after = null;
    while (true) {
      List<String> page = source.listIds(after, PAGE);
      if (page.isEmpty()) {
        return;
      }
      for (String id : page) {
        use.accept(id);
        step.run();
      }
      after = page.getLast();
    }
  }

  private void copy(String id) {
    troubleOf(() -> written(id)).ifPresent(trouble -> differences.put(id, trouble));
  }

  /** Writes an instance; returns how the target differs if it has something under the id. */
  private Optional<String> written(String id) {
    Optional<InstanceSnapshot> read = source.readInstance(id);
    if (read.isEmpty()) {
      return Optional.empty();
    }
    if (target.writeInstance(read.get(), source::readEvents)) {
      copied++;
      return Optional.empty();
    }
    Optional<String> difference = comparison.difference(id);
    if (difference.isEmpty()) {
      alreadyThere++;
    }
    return difference.map(what -> "was in the target before, and is another: " + what);
  }

  private void compare(String id) {
    if (!differences.containsKey(id)) {
      troubleOf(() -> comparison.difference(id)).ifPresent(what -> differences.put(id, what));
    }
  }

  /** What is wrong with one instance must not keep the others from being copied. */
  private static Optional<String> troubleOf(Supplier<Optional<String>> work) {
    try {
      return work.get();
    } catch (ProviderException e) {
      return switch (e.kind()) {
        case CORRUPT_DATA, INVALID_INPUT, CONTENTION -> Optional.of(String.valueOf(e.getMessage()));
        default -> throw e;
      };
    }
  }
}
