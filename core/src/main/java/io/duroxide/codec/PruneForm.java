package io.duroxide.codec;

import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.EventKind;
import io.duroxide.model.Retention;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The objects that say what is pruned. */
final class PruneForm {
  private static final int EACH = 1;
  private static final int ONE_OF_VERSION_BEFORE = 1;

  private PruneForm() {}

  // What the code asks for

  static FieldWriter write(@Nullable Retention prune, FieldWriter out) {
    return prune == null ? out : out.object("prune", inner -> retention(prune, inner));
  }

  static @Nullable Retention read(FieldReader in) {
    FieldReader inner = in.object("prune");
    return inner == null ? null : retention(inner);
  }

  private static void retention(Retention retention, FieldWriter out) {
    Integer keepLast = retention.keepLast();
    Duration maxAge = retention.maxAge();
    out.optionalNumber("keep_last", keepLast == null ? null : Long.valueOf(keepLast))
        .optionalNumber("max_age_ms", maxAge == null ? null : Long.valueOf(millis(maxAge)));
  }

  private static Retention retention(FieldReader in) {
    Long maxAge = in.optionalNumber("max_age_ms");
    Integer keepLast = in.optionalNumber("keep_last") == null ? null : in.count("keep_last");
    try {
      return new Retention(keepLast, maxAge == null ? null : Duration.ofMillis(maxAge));
    } catch (IllegalArgumentException e) {
      throw in.problem(String.valueOf(e.getMessage()));
    }
  }

  private static long millis(Duration duration) {
    try {
      return duration.toMillis();
    } catch (ArithmeticException beyondLong) {
      return Long.MAX_VALUE;
    }
  }

  // What the instance says

  static FieldWriter write(@Nullable AutoPrune autoPrune, FieldWriter out) {
    return switch (autoPrune) {
      case null -> out;
      case AutoPrune.Disabled off ->
          out.object("auto_prune", inner -> inner.flag("enabled", false));
      case AutoPrunePolicy policy -> out.object("auto_prune", inner -> policy(policy, inner));
    };
  }

  private static void policy(AutoPrunePolicy policy, FieldWriter out) {
    retention(policy.retention(), out);
    if (policy.everyExecutions() != EACH) {
      out.number("every", policy.everyExecutions());
    }
    if (policy.keepPreviousVersion() != ONE_OF_VERSION_BEFORE) {
      out.number("keep_previous_version", policy.keepPreviousVersion());
    }
  }

  static @Nullable AutoPrune readAutoPrune(FieldReader in) {
    FieldReader inner = in.object("auto_prune");
    if (inner == null) {
      return null;
    }
    return inner.flagOr("enabled", true) ? policy(inner) : AutoPrune.DISABLED;
  }

  private static AutoPrunePolicy policy(FieldReader in) {
    Retention retention = retention(in);
    try {
      return new AutoPrunePolicy(
          retention,
          in.countOr("every", EACH),
          in.countOr("keep_previous_version", ONE_OF_VERSION_BEFORE));
    } catch (IllegalArgumentException e) {
      throw in.problem(String.valueOf(e.getMessage()));
    }
  }

  // What was done

  static FieldWriter write(EventKind.HistoryPruned pruned, FieldWriter out) {
    out.number("executions_deleted", pruned.executionsDeleted())
        .number("events_deleted", pruned.eventsDeleted());
    Integer keepLast = pruned.keepLast();
    Instant before = pruned.completedBefore();
    if (keepLast != null || before != null) {
      out.object("effective_options", inner -> effective(keepLast, before, inner));
    }
    return out.optionalText("error", pruned.error());
  }

  private static void effective(
      @Nullable Integer keepLast, @Nullable Instant before, FieldWriter out) {
    out.optionalNumber("keep_last", keepLast == null ? null : Long.valueOf(keepLast));
    if (before != null) {
      out.instant("completed_before_ms", before);
    }
  }

  static EventKind.HistoryPruned readPruned(FieldReader in) {
    FieldReader options = in.object("effective_options");
    boolean counted = options != null && options.optionalNumber("keep_last") != null;
    boolean timed = options != null && options.optionalNumber("completed_before_ms") != null;
    return new EventKind.HistoryPruned(
        in.number("executions_deleted"),
        in.number("events_deleted"),
        options != null && counted ? options.count("keep_last") : null,
        options != null && timed ? options.instant("completed_before_ms") : null,
        in.optionalText("error"));
  }
}
