package io.duroxide.proof.chaos;

/**
 * One fault of a plan.
 *
 * @param at milliseconds after the begin; later if the process that it hits is not ready yet
 * @param slot which process it hits: nodes are counted first, clients behind them
 * @param amount bytes until a cut, or {@link FaultPlan#LOST_ANSWER}; milliseconds for what lasts
 */
public record Fault(long at, FaultKind kind, int slot, int amount) {}
