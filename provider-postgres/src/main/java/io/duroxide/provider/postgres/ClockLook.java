package io.duroxide.provider.postgres;

import io.duroxide.provider.ClockStep;
import io.duroxide.provider.ClockSteps;
import io.duroxide.provider.ProviderException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether the server's clock was set back. Of all nodes that see a step, the first shifts
 * what is stored; the others hear of it. Thread-safe.
 */
final class ClockLook {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");

  /** Nodes look that often, so no time that was used is much later than the last look. */
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

  private static final long UNKNOWN = -1;

  private final Store store;
  private final Rooms rooms;
  private final ClockSteps steps = new ClockSteps(LOG);
  private final AtomicLong knownSteps = new AtomicLong(UNKNOWN);

  ClockLook(Store store, Rooms rooms) {
    this.store = store;
    this.rooms = rooms;
  }

  private static final String OPENING =
      """
      SELECT @.store_now(?), coalesce(max(c.used), 0), coalesce(max(c.steps), 0) FROM @.clock c
      """;

  /** What is known at the beginning. */
  private record Beginning(long now, long used, long steps) {}

  /** The first look reads only, unless it finds a step: the server may be one that only reads. */
  void begin() {
    Beginning found =
        store.read(
            "open",
            sql ->
                Objects.requireNonNull(
                    sql.first(
                        OPENING,
                        row -> new Beginning(row.getLong(1), row.getLong(2), row.getLong(3)),
                        store.clock().given())));
    store.clock().heard(found.now());
    store.clock().looked(found.now());
    if (found.used() - found.now() <= ClockStep.STANDSTILL.toMillis()) {
      knownSteps.set(found.steps());
      return;
    }
    try {
      look();
    } catch (ProviderException later) {
      LOG.warn("the server's clock was set back, the next look will see to it", later);
    }
  }

  private static final String LOOK =
      """
      SELECT l.now, l.steps, l.back, l.shifted FROM @.look_at_clock(?, ?, ?, ?) l
      """;

  /** What a look has found. */
  private record Found(long now, long steps, Duration back, boolean shifted) {}

  /** Returns the last step that this node knows of. */
  Optional<ClockStep> look() {
    long known = knownSteps.get();
    StoreClock clock = store.clock();
    Found found =
        store.change(
            "lookAtClock",
            sql ->
                Objects.requireNonNull(
                    sql.first(
                        LOOK,
                        ClockLook::read,
                        clock.given(),
                        clock.used(),
                        known == UNKNOWN ? null : known,
                        BETWEEN_LOOKS.toMillis())));
    note(found, known);
    return steps.newest();
  }

  private static Found read(ResultSet row) throws SQLException {
    return new Found(
        row.getLong(1), row.getLong(2), Duration.ofMillis(row.getLong(3)), row.getBoolean(4));
  }

  private void note(Found found, long known) {
    boolean isNew = known != UNKNOWN && found.steps() != known && !found.shifted();
    if (!knownSteps.compareAndSet(known, found.steps())) {
      return;
    }
    Instant now = Instant.ofEpochMilli(found.now());
    store.clock().looked(found.now());
    if (found.shifted()) {
      steps.noticed(found.back(), now);
      rooms.wakeAll();
    } else if (isNew) {
      steps.heard(found.back(), now);
      rooms.wakeAll();
    }
  }
}
