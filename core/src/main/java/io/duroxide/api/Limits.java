package io.duroxide.api;

import java.util.Objects;

/**
 * What one instance may store; checked before each commit, sizes in UTF-8 bytes.
 *
 * @param customStatusBytes longest custom status
 * @param tagBytes longest activity tag
 * @param kvValueBytes longest KV value
 * @param kvKeys most KV keys alive
 * @param carriedMessages most queue messages carried by a continue-as-new; the oldest are kept
 * @param history of an execution that goes on; one that ends may exceed it
 * @param turn what code may ask for in one turn
 */
public record Limits(
    int customStatusBytes,
    int tagBytes,
    int kvValueBytes,
    int kvKeys,
    int carriedMessages,
    HistoryLimit history,
    TurnLimit turn) {
  /**
   * 256 KiB status, 256-byte tags, 150 keys of 64 KiB, 100,000 actions and 64 MiB in a turn;
   * everything else as much as there is.
   */
  public static final Limits DEFAULT =
      new Limits(
          262_144,
          256,
          65_536,
          150,
          Integer.MAX_VALUE,
          new HistoryLimit(Integer.MAX_VALUE, Long.MAX_VALUE),
          new TurnLimit(100_000, 64L << 20));

  public Limits {
    Objects.requireNonNull(history, "history");
    Objects.requireNonNull(turn, "turn");
    if (customStatusBytes < 0 || tagBytes < 0 || kvValueBytes < 0 || kvKeys < 0) {
      throw new IllegalArgumentException("limits must not be negative");
    }
    if (carriedMessages < 0) {
      throw new IllegalArgumentException("carriedMessages must not be negative");
    }
  }

  /**
   * Of the history of an execution that goes on.
   *
   * @param historyEvents most events, at least one
   * @param historyBytes most payload, inputs and results above all
   */
  public record HistoryLimit(int historyEvents, long historyBytes) {
    public HistoryLimit {
      if (historyEvents < 1 || historyBytes < 0) {
        throw new IllegalArgumentException("a history has at least one event");
      }
    }
  }

  /**
   * Of one turn.
   *
   * @param turnActions most actions, such as calls and timers, that code asks for; at least one
   * @param turnBytes most payload that is stored
   */
  public record TurnLimit(int turnActions, long turnBytes) {
    public TurnLimit {
      if (turnActions < 1 || turnBytes < 0) {
        throw new IllegalArgumentException("a turn has at least one action");
      }
    }
  }

  public int historyEvents() {
    return history.historyEvents();
  }

  public long historyBytes() {
    return history.historyBytes();
  }

  public int turnActions() {
    return turn.turnActions();
  }

  public long turnBytes() {
    return turn.turnBytes();
  }

  public Limits withCustomStatusBytes(int bytes) {
    return new Limits(bytes, tagBytes, kvValueBytes, kvKeys, carriedMessages, history, turn);
  }

  public Limits withTagBytes(int bytes) {
    return new Limits(
        customStatusBytes, bytes, kvValueBytes, kvKeys, carriedMessages, history, turn);
  }

  public Limits withKv(int keys, int valueBytes) {
    return new Limits(
        customStatusBytes, tagBytes, valueBytes, keys, carriedMessages, history, turn);
  }

  public Limits withCarriedMessages(int messages) {
    return new Limits(customStatusBytes, tagBytes, kvValueBytes, kvKeys, messages, history, turn);
  }

  public Limits withHistoryEvents(int events) {
    return new Limits(
        customStatusBytes,
        tagBytes,
        kvValueBytes,
        kvKeys,
        carriedMessages,
        new HistoryLimit(events, history.historyBytes()),
        turn);
  }

  public Limits withHistoryBytes(long bytes) {
    return new Limits(
        customStatusBytes,
        tagBytes,
        kvValueBytes,
        kvKeys,
        carriedMessages,
        new HistoryLimit(history.historyEvents(), bytes),
        turn);
  }

  public Limits withTurn(int actions, long bytes) {
    return new Limits(
        customStatusBytes,
        tagBytes,
        kvValueBytes,
        kvKeys,
        carriedMessages,
        history,
        new TurnLimit(actions, bytes));
  }
}
