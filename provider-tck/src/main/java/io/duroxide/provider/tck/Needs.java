package io.duroxide.provider.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Marks entries of the catalog with the {@link Feature} they need. */
final class Needs {
  private Needs() {}

  @Tag("L")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface LongPoll {}

  @Tag("S")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface ShortPoll {}

  @Tag("M")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Management {}

  @Tag("NEW-STARTS")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface NewStarts {}

  @Tag("CHECKED-SENDS")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface CheckedSends {}

  @Tag("WITHDRAWN-TIMERS")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface WithdrawnTimers {}

  @Tag("WINDOWS")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Windows {}

  @Tag("ORPHAN-PURGE")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface OrphanPurge {}

  @Tag("DROP-COUNT")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface DropCount {}

  @Tag("H-clock")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface ClockStep {}

  @Tag("H-rows")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface RowLocks {}

  @Tag("2")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface TwoHandles {}

  @Tag("DURABLE")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Durable {}

  @Tag("CLUSTER")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Cluster {}

  /** Runs a runtime on the provider; nothing has to be there for it. */
  @Tag("R")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Node {}

  /** Measures; reported, and a failure only where a bound was configured. */
  @Tag("P")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Load {}

  @Tag("H")
  @Tag("H-damage")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Damage {}

  @Tag("H")
  @Tag("H-unloadable")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Unloadable {}

  @Tag("H")
  @Tag("H-fields")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface UnknownFields {}

  @Tag("H")
  @Tag("H-attempts")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Attempts {}

  @Tag("H")
  @Tag("H-faults")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Faults {}

  @Tag("H")
  @Tag("H-errors")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Errors {}

  @Tag("H")
  @Tag("H-threads")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Threads {}

  @Tag("H")
  @Tag("H-kill")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Kill {}

  @Tag("H")
  @Tag("H-skew")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Skew {}

  @Tag("H")
  @Tag("H-notifications")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Notifications {}

  @Tag("H")
  @Tag("H-meters")
  @Target({ElementType.TYPE, ElementType.METHOD})
  @Retention(RetentionPolicy.RUNTIME)
  @interface Meters {}
}
