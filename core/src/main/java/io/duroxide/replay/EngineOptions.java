package io.duroxide.replay;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * What the engine asks of its surroundings; the same for all executions of a node.
 *
 * @param clock time of new events, timers and KV writes
 * @param guids ids for {@code newGuid}
 * @param blockingLimit how long code may be parked outside an await before the turn fails
 * @param author the node
 * @param pruning deletes past executions
 */
public record EngineOptions(
    InstantSource clock,
    Supplier<UUID> guids,
    DataConverter converter,
    Limits limits,
    Duration blockingLimit,
    Author author,
    HistoryPruning pruning) {}
