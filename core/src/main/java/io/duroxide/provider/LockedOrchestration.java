package io.duroxide.provider;

/**
 * An instance whose lock the caller holds.
 *
 * @param attemptCount the largest fetch count of its messages, this fetch included
 */
public record LockedOrchestration(OrchestrationItem item, String lockToken, int attemptCount) {}
