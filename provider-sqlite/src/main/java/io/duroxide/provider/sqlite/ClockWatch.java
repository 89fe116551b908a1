package io.duroxide.provider.sqlite;

import io.duroxide.provider.ClockStep;
import io.duroxide.provider.ClockSteps;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The time of the store, which does not go back unseen. Confined to the writer.
 *
 * <p>A clock that shows less than the largest time that was used before stands still, for at most a
 * second; if it shows much less, it was set back, and what is stored is shifted by as much. The
 * file holds a time that nobody has used yet and a count of steps, so that processes that share it,
 * and those that open it later, notice a step too, and only one of them shifts.
 */
final class ClockWatch {
  private static final long UNREAD = Long.MIN_VALUE;
  private static final long STANDSTILL = ClockStep.STANDSTILL.toMillis();

  /** So far ahead a time is stored, so that few commits have to store one. */
  private static final long AHEAD = 1000;

  private final Sql sql;
  private final InstantSource clock;
  private final ClockSteps steps;
  private long used = UNREAD;
  private long limit = UNREAD;
  private long ownLimit = UNREAD;
  private long stepCount = UNREAD;
  private @Nullable Step pending;
  private long usedBefore;
  private long stepsBefore;

  ClockWatch(Sql sql, InstantSource clock, ClockSteps steps) {
    this.sql = sql;
    this.clock = clock;
    this.steps = steps;
  }

  /**
   * A step back.
   *
   * @param before no time after this was used before the step
   * @param seenUntil what was visible at this time was visible before the step
   * @param now after the step
   */
  record Step(long before, long seenUntil, long now) {
    long back() {
      return before - now;
    }
  }

  private record Stored(long limit, long steps, long back) {}

  private static final String READ =
      """
      SELECT clock_limit, clock_steps, clock_back FROM duroxide_counter
      """;

  /** What the clock shows, if it was set back: everything stored must be shifted first. */
  @Nullable Step look() throws SQLException {
    long reading = StoreTime.now(clock);
    if (limit == UNREAD) {
      read(reading);
    }
    boolean isOwn = limit == ownLimit;
    long before = isOwn ? used : Math.max(used, limit);
    if (reading >= before || before - reading <= STANDSTILL) {
      used = Math.max(reading, used);
      return null;
    }
    Step step = new Step(before, isOwn ? before : Math.max(used, limit - AHEAD), reading);
    if (pending == null) {
      usedBefore = used;
      stepsBefore = stepCount;
    }
    used = reading;
    pending = step;
    return step;
  }

  /** Another process may have shifted what is stored. */
  private void read(long reading) throws SQLException {
    Stored stored =
        sql.first(READ, row -> new Stored(row.getLong(1), row.getLong(2), row.getLong(3)));
    if (stored == null) {
      return;
    }
    limit = stored.limit() == 0 ? UNREAD + 1 : stored.limit();
    if (stepCount != UNREAD && stored.steps() != stepCount) {
      used = Math.min(used, reading);
      steps.heard(Duration.ofMillis(stored.back()), Instant.ofEpochMilli(reading));
    }
    stepCount = stored.steps();
  }

  /** The time of the running command. */
  long now() {
    return used;
  }

  private static final String NOTE_STEP =
      """
      UPDATE duroxide_counter SET clock_limit = ?, clock_steps = clock_steps + 1, clock_back = ?
      """;

  /** Everything stored was shifted. */
  void shifted(Step step) throws SQLException {
    limit = step.now() + AHEAD;
    ownLimit = limit;
    stepCount++;
    sql.update(NOTE_STEP, limit, step.back());
  }

  /** The limit that a commit has to store because it used a later time; else null. */
  @Nullable Long newLimit() {
    if (used <= limit) {
      return null;
    }
    limit = used + AHEAD;
    ownLimit = limit;
    return limit;
  }

  void committed() {
    Step step = pending;
    pending = null;
    if (step != null) {
      steps.noticed(Duration.ofMillis(step.back()), Instant.ofEpochMilli(step.now()));
    }
  }

  /** What was stored is not, or may not be. */
  void undone() {
    if (pending != null) {
      used = usedBefore;
      stepCount = stepsBefore;
      pending = null;
    }
    ownLimit = UNREAD;
    limit = UNREAD;
  }

  /** Another connection has committed. */
  void forget() {
    limit = UNREAD;
  }
}
