package io.duroxide.provider;

/**
 * Messages waiting in the store.
 *
 * @param orchestratorReady visible and not locked
 * @param workerReady visible and not locked
 * @param timers orchestrator messages that are not visible yet
 * @param orchestratorLocked messages of locked instances
 * @param workerLocked activities that are running
 */
public record QueueDepths(
    long orchestratorReady,
    long workerReady,
    long timers,
    long orchestratorLocked,
    long workerLocked) {}
