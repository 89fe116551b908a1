package io.duroxide.provider.sqlite;

import java.util.function.Supplier;

/**
 * Lock tokens: they say where the locked row stands, and end in what nobody can guess.
 *
 * @param secrets unguessable, never repeated
 */
record Tokens(Supplier<String> secrets) {
  private static final String TURN = "turn";
  private static final String PART = "part";
  private static final String WORK = "work";
  private static final char SEPARATOR = ':';

  /** Where an activity stands. */
  record WorkRef(long instance, long execution, long activity, long seq) {}

  String forTurn(Batch batch) {
    Batch.Part part = batch.part();
    return (part == null ? TURN : PART)
        + SEPARATOR
        + batch.instance()
        + SEPARATOR
        + batch.at()
        + SEPARATOR
        + batch.seq()
        + SEPARATOR
        + (part == null ? "" : numbers(part))
        + secrets.get();
  }

  private static String numbers(Batch.Part part) {
    Place timer = part.lastTimer();
    return part.lastMessage() + ":" + timer.at() + SEPARATOR + timer.seq() + SEPARATOR;
  }

  String forWork(WorkRef ref) {
    return WORK
        + SEPARATOR
        + ref.instance()
        + SEPARATOR
        + ref.execution()
        + SEPARATOR
        + ref.activity()
        + SEPARATOR
        + ref.seq()
        + SEPARATOR
        + secrets.get();
  }

  /** The batch that a token locks. */
  static Batch batch(String operation, String token) {
    if (token.startsWith(PART + SEPARATOR)) {
      Parts parts = new Parts(operation, token, PART);
      return new Batch(
          parts.next(),
          parts.next(),
          parts.next(),
          new Batch.Part(parts.next(), new Place(parts.next(), parts.next())));
    }
    Parts parts = new Parts(operation, token, TURN);
    return Batch.whole(parts.next(), parts.next(), parts.next());
  }

  /** Whether a token is one of this instance's, held or long gone. */
  static boolean isOf(String token, long instance) {
    return token.startsWith(TURN + SEPARATOR + instance + SEPARATOR)
        || token.startsWith(PART + SEPARATOR + instance + SEPARATOR);
  }

  /** The batch of a token that is stored. */
  static Batch batch(String token) {
    return batch("stored lock", token);
  }

  /** The activity that a token locks. */
  static WorkRef work(String operation, String token) {
    Parts parts = new Parts(operation, token, WORK);
    return new WorkRef(parts.next(), parts.next(), parts.next(), parts.next());
  }

  /** The numbers of a token; anything that is no token of ours is a lost lock. */
  private static final class Parts {
    private final String operation;
    private final String token;
    private int at;

    Parts(String operation, String token, String queue) {
      this.operation = operation;
      this.token = token;
      if (!token.startsWith(queue + SEPARATOR)) {
        throw Refusal.lockLost(operation, token);
      }
      this.at = queue.length() + 1;
    }

    long next() {
      int end = token.indexOf(SEPARATOR, at);
      try {
        long number = Long.parseLong(token, at, Math.max(at, end), 10);
        at = end + 1;
        return number;
      } catch (NumberFormatException notOurs) {
        throw Refusal.lockLost(operation, token);
      }
    }
  }
}
