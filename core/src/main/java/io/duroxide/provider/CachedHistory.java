package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;

/** Tells a provider, once it holds an instance's lock, which events it may leave out. */
@FunctionalInterface
public interface CachedHistory {
  /** Nothing is cached. */
  CachedHistory NONE = execution -> 0;

  /** The id of the newest event the caller has of {@code execution}; 0 for none. Must not block. */
  long lastEventId(ExecutionKey execution);
}
