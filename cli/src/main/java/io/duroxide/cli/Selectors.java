package io.duroxide.cli;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which instances are meant. */
final class Selectors {
  /** Statuses as operators see them: one between two executions runs. */
  enum Status {
    running,
    completed,
    failed,
    finished
  }

  @Option(names = "--status", description = "Only these: ${COMPLETION-CANDIDATES}.")
  private @Nullable Status status;

  @Option(names = "--name", paramLabel = "NAME", description = "Only of this orchestration.")
  private @Nullable String name;

  @Option(names = "--version", paramLabel = "VERSION", description = "Only of this version.")
  private @Nullable String version;

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only ids that begin like this.")
  private @Nullable String prefix;

  @Option(names = "--parent", paramLabel = "ID", description = "Only direct children of this one.")
  private @Nullable String parent;

  @Option(names = "--roots", description = "Only instances without a parent.")
  private boolean roots;

  @Option(
      names = "--older-than",
      paramLabel = "SPAN",
      converter = Spans.class,
      description = "Only created longer ago, such as 30m, 12h or 7d.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--ended-before",
      paramLabel = "SPAN",
      converter = Spans.class,
      description = "Only ended longer ago, such as 30m, 12h or 7d.")
  private @Nullable Duration endedBefore;

  /** Whether nothing was said, so that all instances are meant. */
  boolean isEmpty() {
    return filter(Instant.EPOCH).equals(InstanceFilter.ALL);
  }

  InstanceFilter filter(Instant now) {
    InstanceFilter filter = byStatus();
    if (name != null) {
      filter = filter.named(name);
    }
    if (version != null) {
      filter = filter.withVersion(version);
    }
    if (prefix != null) {
      filter = filter.withIdPrefix(prefix);
    }
    if (parent != null) {
      filter = filter.childrenOf(parent);
    }
    if (roots) {
      filter = filter.roots();
    }
    if (olderThan != null) {
      filter = filter.createdBefore(now.minus(olderThan));
    }
    if (endedBefore != null) {
      filter = filter.completedBefore(now.minus(endedBefore));
    }
    return filter;
  }

  private InstanceFilter byStatus() {
    return switch (status) {
      case null -> InstanceFilter.ALL;
      case running -> InstanceFilter.running();
      case completed -> InstanceFilter.ALL.withStatuses(ExecutionStatus.COMPLETED);
      case failed -> InstanceFilter.ALL.withStatuses(ExecutionStatus.FAILED);
      case finished -> InstanceFilter.finished();
    };
  }
}
