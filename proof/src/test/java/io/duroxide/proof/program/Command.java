package io.duroxide.proof.program;

/**
 * A message for an entity.
 *
 * @param sender who sent it
 * @param sequence 1, 2, 3 … for each sender
 * @param key what an addition adds to
 */
public record Command(String sender, long sequence, Kind kind, String key, long amount) {
  /** What the entity does. */
  public enum Kind {
    /** Adds the amount to the key. */
    ADD,
    /** Shows its state in its custom status, and the command in the value {@code answer}. */
    QUERY,
    /** Ends with its state as result. */
    STOP
  }

  public static Command add(String sender, long sequence, String key, long amount) {
    return new Command(sender, sequence, Kind.ADD, key, amount);
  }

  public static Command query(String sender, long sequence) {
    return new Command(sender, sequence, Kind.QUERY, "", 0);
  }

  public static Command stop(String sender, long sequence) {
    return new Command(sender, sequence, Kind.STOP, "", 0);
  }

  /** Tells commands apart, for values and ledgers. */
  public String id() {
    return sender + "/" + sequence;
  }
}
