package io.duroxide.runtime;

import io.duroxide.telemetry.NodeVitals;

/** What this node has in hand. Thread-safe. */
final class Vitals implements NodeVitals {
  private final Signals signals;
  private final ExecutionCache cache;
  private final Sessions sessions;

  Vitals(Signals signals, ExecutionCache cache, Sessions sessions) {
    this.signals = signals;
    this.cache = cache;
    this.sessions = sessions;
  }

  @Override
  public int turnsInProgress() {
    return signals.turnsInProgress();
  }

  @Override
  public int activitiesInProgress() {
    return signals.activitiesInProgress();
  }

  @Override
  public int keptExecutions() {
    return cache.size();
  }

  @Override
  public int sessionsInFlight() {
    return sessions.distinct();
  }

  @Override
  public int sessionsOwned() {
    return signals.sessionsOwned();
  }

  @Override
  public int zombieActivities() {
    return signals.zombies();
  }
}
