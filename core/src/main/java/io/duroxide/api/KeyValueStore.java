package io.duroxide.api;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * The durable map of the instance.
 *
 * <p>Writes take effect at once for the code, and for others when the turn commits. Reads see every
 * earlier write of the instance, also of previous executions. Nothing here waits.
 */
public interface KeyValueStore {

  /** Stores a value as JSON. */
  void put(String key, Object value);

  /**
   * Reads a value stored as JSON.
   *
   * @throws DataConversionException naming the key, if it holds another type
   */
  <T> Optional<T> get(String key, TypeRef<T> type);

  default <T> Optional<T> get(String key, Class<T> type) {
    return get(key, TypeRef.of(type));
  }

  /** Stores text as it is. */
  void putText(String key, String text);

  /** Reads the stored text. */
  Optional<String> getText(String key);

  /** All entries as stored, in key order. */
  Map<String, String> all();

  /** All keys in order. */
  SortedSet<String> keys();

  int size();

  /** Removes a key; recorded even if the key is absent. */
  void clear(String key);

  /** Removes every key. */
  void clearAll();

  /** Removes every key last written before {@code cutoff}, in key order; returns how many. */
  int pruneUpdatedBefore(Instant cutoff);
}
