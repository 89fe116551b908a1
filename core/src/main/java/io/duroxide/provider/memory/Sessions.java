package io.duroxide.provider.memory;

import io.duroxide.provider.SessionFetchConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All session leases. Guarded by the gate. */
final class Sessions {
  private final StoreClock clock;
  private final Map<String, Session> byId = new HashMap<>();

  Sessions(StoreClock clock) {
    this.clock = clock;
  }

  /** The claims of one fetch. */
  Claims claims(@Nullable SessionFetchConfig config) {
    return new Claims(config);
  }

  /** When the lease of {@code id} ends; {@link Instant#MAX} if nobody holds one. */
  Instant leaseEnd(@Nullable String id) {
    Session session = id == null ? null : byId.get(id);
    return session != null && session.isOwned(clock.now()) ? session.until() : Instant.MAX;
  }

  /** Work of the session went on; this affects idleness alone. */
  void touch(@Nullable String id) {
    Instant now = clock.now();
    Session session = id == null ? null : byId.get(id);
    if (id != null && session != null && session.isOwned(now)) {
      byId.put(id, session.touched(now));
    }
  }

  int renew(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    Instant now = clock.now();
    Instant end = StoreClock.after(now, extendFor);
    Set<String> wanted = Set.copyOf(owners);
    int renewed = 0;
    for (Map.Entry<String, Session> entry : byId.entrySet()) {
      Session session = entry.getValue();
      if (wanted.contains(session.owner())
          && session.isOwned(now)
          && !session.isIdle(now, idleTimeout)) {
        entry.setValue(session.extended(end));
        renewed++;
      }
    }
    return renewed;
  }

  /** Removes leases that ended and that no queued activity refers to. */
  int cleanup(Set<String> inUse) {
    Instant now = clock.now();
    int before = byId.size();
    byId.entrySet()
        .removeIf(
            entry -> entry.getValue().until().isBefore(now) && !inUse.contains(entry.getKey()));
    return before - byId.size();
  }

  /** The clock went back. */
  void shift(StoreClock.Step step) {
    byId.replaceAll((id, session) -> session.shifted(step));
  }

  /** Which sessions one fetch may serve: those it owns, and as many new ones as it asked for. */
  final class Claims {
    private final @Nullable SessionFetchConfig config;
    private int newSessions;

    private Claims(@Nullable SessionFetchConfig config) {
      this.config = config;
    }

    boolean mayServe(@Nullable String id) {
      if (id == null) {
        return true;
      }
      if (config == null) {
        return false;
      }
      Session session = byId.get(id);
      Instant now = clock.now();
      if (session != null && session.isOwned(now)) {
        return session.owner().equals(config.ownerId());
      }
      return newSessions < config.maxNewSessions();
    }

    /** Claims or refreshes a session that {@link #mayServe}. */
    void claim(@Nullable String id) {
      if (id == null || config == null) {
        return;
      }
      Instant now = clock.now();
      Session session = byId.get(id);
      if (session == null || !session.isOwnedBy(config.ownerId(), now)) {
        newSessions++;
      }
      Instant end = StoreClock.after(now, config.lockTimeout());
      byId.put(id, new Session(config.ownerId(), end, now));
    }
  }
}
