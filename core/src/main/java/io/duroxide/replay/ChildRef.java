package io.duroxide.replay;

/**
 * A child of the execution.
 *
 * @param scheduleId the event that asked for it
 * @param instance its full id
 */
public record ChildRef(long scheduleId, String instance) {}
