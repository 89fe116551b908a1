package io.duroxide.provider;

/** Totals over the store; instances between two executions count as running. */
public record SystemMetrics(
    long totalInstances,
    long totalExecutions,
    long totalEvents,
    long runningInstances,
    long completedInstances,
    long failedInstances) {}
