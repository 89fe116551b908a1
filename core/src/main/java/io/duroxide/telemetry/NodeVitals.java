package io.duroxide.telemetry;

/**
 * What a node has in hand at the moment of asking. Cheap to ask. Implementations are thread-safe.
 */
public interface NodeVitals {
  int turnsInProgress();

  int activitiesInProgress();

  /** Executions that wait in memory. */
  int keptExecutions();

  /** Sessions with an activity in progress. */
  int sessionsInFlight();

  /** Sessions this node owned when it last renewed them. */
  int sessionsOwned();

  /** Handlers that went on after their cancellation and were left to themselves. */
  int zombieActivities();
}
