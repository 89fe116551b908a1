package io.duroxide.model;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How long the texts may be that name things, in UTF-8 bytes. They are the same for every store and
 * are checked where a text is given: what cannot be stored as it is would name something else.
 */
public enum TextLimit {
  INSTANCE_ID("instance id", 1_024),
  ORCHESTRATION_NAME("orchestration name", 256),
  ACTIVITY_NAME("activity name", 256),
  EVENT_NAME("event name", 256),
  QUEUE_NAME("queue name", 256),
  KEY("key", 1_024),
  SESSION_ID("session id", 256),
  TAG("tag", 256),
  NODE_ID("node id", 256),
  VERSION("version", 64);

  /** Reasons and error texts are cut to this many bytes. */
  private static final int LONGEST_REMARK = 4_096;

  private static final String CUT = "…";

  private final String what;
  private final int bytes;

  TextLimit(String what, int bytes) {
    this.what = what;
    this.bytes = bytes;
  }

  /** The largest number of UTF-8 bytes. */
  public int bytes() {
    return bytes;
  }

  /** The text itself, if it keeps to the limit. */
  public String check(String text) {
    String complaint = complaint(text);
    if (complaint != null) {
      throw new IllegalArgumentException(complaint);
    }
    return text;
  }

  /** The text itself, if it is one that can be stored; its length is limited elsewhere. */
  public String checkForm(String text) {
    String complaint = formComplaint(text);
    if (complaint != null) {
      throw new IllegalArgumentException(complaint);
    }
    return text;
  }

  /** What is wrong with a text; null if nothing is. */
  public @Nullable String complaint(String text) {
    String malformed = formComplaint(text);
    if (malformed != null) {
      return malformed;
    }
    int size = text.length() * 3L <= bytes ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    return size <= bytes
        ? null
        : what + " has " + size + " bytes; at most " + bytes + " are allowed";
  }

  private @Nullable String formComplaint(String text) {
    if (text.isEmpty()) {
      return what + " has 0 bytes; at least 1 is needed";
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!isPair(text, i)) {
          return what + " is not well-formed Unicode at character " + (i + 1);
        }
        i++;
      }
    }
    return null;
  }

  private static boolean isPair(String text, int at) {
    return Character.isHighSurrogate(text.charAt(at))
        && at + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(at + 1));
  }

  /** A reason or an error text; one that is too long ends with an ellipsis. */
  public static String remark(String text) {
    if (text.length() <= LONGEST_REMARK / 4) {
      return text;
    }
    int room = LONGEST_REMARK;
    int shortened = 0;
    for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
      int c = text.codePointAt(i);
      room -= c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      if (room < 0) {
        return text.substring(0, shortened) + CUT;
      }
      if (room >= CUT.length() * 3) {
        shortened = i + Character.charCount(c);
      }
    }
    return text;
  }
}
