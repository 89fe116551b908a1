package io.duroxide.codec;

import java.io.Serial;

/**
 * Says that a stored text is no event or work item this build can read.
 *
 * <p>The message names the place and the problem. Of the stored content it shows at most one short
 * word, never a payload.
 */
public final class DecodeException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  /** How much stored content a message may show. */
  static final int SHOWN_CHARACTERS = 60;

  DecodeException(String message) {
    super(message);
  }

  DecodeException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The beginning of {@code stored}, short enough for a message. */
  static String shown(String stored) {
    return stored.length() <= SHOWN_CHARACTERS
        ? stored
        : stored.substring(0, SHOWN_CHARACTERS) + "…";
  }
}
