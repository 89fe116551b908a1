package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import org.jspecify.annotations.Nullable;

/** Tells a provider, once it holds an instance's lock, which events it may leave out. */
@FunctionalInterface
public interface CachedHistory {
  /** Nothing is cached. */
  CachedHistory NONE = execution -> null;

  /** What the caller keeps of {@code execution}; null for nothing. Must not block. */
  @Nullable Tip tip(ExecutionKey execution);

  /**
   * How far a kept execution goes.
   *
   * <p>It counts only if {@code commitToken} belongs to a commit of this very instance: an instance
   * that was deleted and started again under its id has another history. A provider that cannot
   * tell, or does not want to, returns everything.
   *
   * @param lastEventId the newest event the caller has
   * @param commitToken the lock token of the commit that recorded it
   */
  record Tip(long lastEventId, String commitToken) {}
}
