package io.duroxide.api;

/**
 * What one instance may store; checked before each commit, sizes in UTF-8 bytes.
 *
 * @param customStatusBytes longest custom status
 * @param tagBytes longest activity tag
 * @param kvValueBytes longest KV value
 * @param kvKeys most KV keys alive
 * @param carriedMessages most queue messages carried by a continue-as-new; the oldest are kept
 * @param historyEvents most events of an execution that goes on; one that ends may exceed it
 * @param historyBytes most payload, inputs and results above all, of an execution that goes on
 */
public record Limits(
    int customStatusBytes,
    int tagBytes,
    int kvValueBytes,
    int kvKeys,
    int carriedMessages,
    int historyEvents,
    long historyBytes) {
  /** 256 KiB status, 256-byte tags, 150 keys of 64 KiB; everything else as much as there is. */
  public static final Limits DEFAULT =
      new Limits(262_144, 256, 65_536, 150, Integer.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);

  public Limits {
    if (customStatusBytes < 0 || tagBytes < 0 || kvValueBytes < 0 || kvKeys < 0) {
      throw new IllegalArgumentException("limits must not be negative");
    }
    if (carriedMessages < 0) {
      throw new IllegalArgumentException("carriedMessages must not be negative");
    }
    if (historyEvents < 1 || historyBytes < 0) {
      throw new IllegalArgumentException("a history has at least one event");
    }
  }

  public Limits withCustomStatusBytes(int bytes) {
    return new Limits(
        bytes, tagBytes, kvValueBytes, kvKeys, carriedMessages, historyEvents, historyBytes);
  }

  public Limits withTagBytes(int bytes) {
    return new Limits(
        customStatusBytes,
        bytes,
        kvValueBytes,
        kvKeys,
        carriedMessages,
        historyEvents,
        historyBytes);
  }

  public Limits withKv(int keys, int valueBytes) {
    return new Limits(
        customStatusBytes,
        tagBytes,
        valueBytes,
        keys,
        carriedMessages,
        historyEvents,
        historyBytes);
  }

  public Limits withCarriedMessages(int messages) {
    return new Limits(
        customStatusBytes, tagBytes, kvValueBytes, kvKeys, messages, historyEvents, historyBytes);
  }

  public Limits withHistoryEvents(int events) {
    return new Limits(
        customStatusBytes, tagBytes, kvValueBytes, kvKeys, carriedMessages, events, historyBytes);
  }

  public Limits withHistoryBytes(long bytes) {
    return new Limits(
        customStatusBytes, tagBytes, kvValueBytes, kvKeys, carriedMessages, historyEvents, bytes);
  }
}
