package io.duroxide.provider;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/**
 * An activity whose lock the caller holds.
 *
 * @param key its identity, known even when it cannot be decoded
 * @param item what to run; absent when it cannot be decoded
 * @param decodeError why it cannot be decoded
 * @param attemptCount how often it was fetched, this fetch included
 */
public record LockedWork(
    ActivityKey key,
    WorkItem.@Nullable ActivityExecute item,
    @Nullable String decodeError,
    String lockToken,
    int attemptCount) {}
