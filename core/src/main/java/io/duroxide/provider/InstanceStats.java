package io.duroxide.provider;

/**
 * Size figures of an instance.
 *
 * @param historyEventCount events of the current execution
 * @param historySizeBytes their stored bytes
 * @param queuePendingCount messages that were carried into the current execution
 * @param kvUserKeyCount keys alive
 * @param kvTotalValueBytes UTF-8 bytes of their values
 */
public record InstanceStats(
    long historyEventCount,
    long historySizeBytes,
    long queuePendingCount,
    long kvUserKeyCount,
    long kvTotalValueBytes) {}
