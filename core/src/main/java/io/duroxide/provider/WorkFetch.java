package io.duroxide.provider;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for.
 *
 * @param lockTimeout how long the activity stays locked; must be positive
 * @param pollTimeout how long the provider may wait for work
 * @param session who claims sessions; null leaves out session-bound activities
 * @param tags which tags to serve
 * @param activityNames the activities this node has registered; null admits all
 */
public record WorkFetch(
    Duration lockTimeout,
    Duration pollTimeout,
    @Nullable SessionFetchConfig session,
    TagFilter tags,
    @Nullable Set<String> activityNames) {
  public WorkFetch {
    Objects.requireNonNull(lockTimeout, "lockTimeout");
    Objects.requireNonNull(pollTimeout, "pollTimeout");
    Objects.requireNonNull(tags, "tags");
    activityNames = activityNames == null ? null : Set.copyOf(activityNames);
  }

  /** Untagged work outside sessions. */
  public static WorkFetch of(Duration lockTimeout, Duration pollTimeout) {
    return new WorkFetch(lockTimeout, pollTimeout, null, TagFilter.DEFAULT_ONLY, null);
  }

  public WorkFetch withSession(@Nullable SessionFetchConfig newSession) {
    return new WorkFetch(lockTimeout, pollTimeout, newSession, tags, activityNames);
  }

  public WorkFetch withPollTimeout(Duration newPollTimeout) {
    return new WorkFetch(lockTimeout, newPollTimeout, session, tags, activityNames);
  }

  public WorkFetch withTags(TagFilter newTags) {
    return new WorkFetch(lockTimeout, pollTimeout, session, newTags, activityNames);
  }

  public WorkFetch withActivityNames(Set<String> names) {
    return new WorkFetch(lockTimeout, pollTimeout, session, tags, names);
  }
}
