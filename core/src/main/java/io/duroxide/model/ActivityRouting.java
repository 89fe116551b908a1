package io.duroxide.model;

import org.jspecify.annotations.Nullable;

/**
 * Which workers may run an activity.
 *
 * @param sessionId the session that binds it to one owner, if any
 * @param tag the pool it is meant for, if any
 */
public record ActivityRouting(@Nullable String sessionId, @Nullable String tag) {
  /** Any worker that serves untagged work. */
  public static final ActivityRouting ANYWHERE = new ActivityRouting(null, null);
}
