package io.duroxide.provider.postgres;

import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lock tokens: they say where the locked row stands, and hold what nobody can guess.
 *
 * @param secrets unguessable, never repeated
 */
record Tokens(Supplier<String> secrets) {
  private static final String TURN = "turn";
  private static final String WORK = "work";
  private static final char SEPARATOR = ':';

  UUID secret() {
    return UUID.fromString(secrets.get());
  }

  /**
   * A lock of an instance, or a commit that was made under one.
   *
   * @param key the instance's number
   * @param instance its id, so that whoever commits knows whom to tell
   */
  record Turn(long key, UUID secret, String instance) {
    private static final long NEW = 0;

    /** Names the commit that makes an instance, which has no number yet. */
    static Turn ofNew(UUID secret, String instance) {
      return new Turn(NEW, secret, instance);
    }

    boolean isNew() {
      return key == NEW;
    }

    String text() {
      return TURN + SEPARATOR + key + SEPARATOR + secret + SEPARATOR + instance;
    }
  }

  /**
   * A lock of an activity.
   *
   * @param instance the instance's number
   */
  record Work(long instance, long execution, long activity, UUID secret) {
    String text() {
      return WORK + SEPARATOR + instance + SEPARATOR + execution + SEPARATOR + activity + SEPARATOR
          + secret;
    }
  }

  /** The lock that {@code token} stands for; anything that is no token of ours is a lost lock. */
  static Turn turn(String operation, String token) {
    Turn turn = turn(token);
    if (turn == null) {
      throw Refusal.lockLost(operation, token);
    }
    return turn;
  }

  /** As {@link #turn(String, String)}, but null for what is no token of ours. */
  static @Nullable Turn turn(String token) {
    String[] parts = token.split(":", 4);
    if (parts.length != 4 || !parts[0].equals(TURN)) {
      return null;
    }
    try {
      return new Turn(Long.parseLong(parts[1]), UUID.fromString(parts[2]), parts[3]);
    } catch (IllegalArgumentException notOurs) {
      return null;
    }
  }

  /** The lock that {@code token} stands for; anything that is no token of ours is a lost lock. */
  static Work work(String operation, String token) {
    String[] parts = token.split(":", -1);
    if (parts.length != 5 || !parts[0].equals(WORK)) {
      throw Refusal.lockLost(operation, token);
    }
    try {
      return new Work(
          Long.parseLong(parts[1]),
          Long.parseLong(parts[2]),
          Long.parseLong(parts[3]),
          UUID.fromString(parts[4]));
    } catch (IllegalArgumentException notOurs) {
      throw Refusal.lockLost(operation, token);
    }
  }
}
