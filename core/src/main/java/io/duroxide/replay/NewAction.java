package io.duroxide.replay;

import org.jspecify.annotations.Nullable;

/**
 * An action that was recorded for the first time in this turn.
 *
 * @param eventId the id of its event
 * @param childInstance the full id of the child, for sub-orchestrations
 */
public record NewAction(long eventId, Action action, @Nullable String childInstance) {}
