package io.duroxide.replay;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.TextLimit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Generated ids of children: unique over the life of the parent, the same on every replay. */
public final class ChildIds {
  private static final String PREFIX = "sub::";
  private static final String MARKER = "::sub::";

  private ChildIds() {}

  /** What history stores for a child without an explicit id. */
  static String suffix(ExecutionKey parent, long scheduleId) {
    return parent.executionId() == ExecutionKey.FIRST
        ? PREFIX + scheduleId
        : PREFIX + parent.executionId() + "_" + scheduleId;
  }

  /** The instance id that {@code recorded}, a suffix or an explicit id, stands for. */
  public static String full(ExecutionKey parent, String recorded) {
    if (!recorded.startsWith(PREFIX)) {
      return recorded;
    }
    String generated = parent.instance() + "::" + recorded;
    return TextLimit.INSTANCE_ID.complaint(generated) == null ? generated : digest(generated);
  }

  /** Stands for an id that would be too long, so that trees of any depth have ids. */
  private static String digest(String generated) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(generated.getBytes(StandardCharsets.UTF_8));
      return PREFIX + "#" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  /** Whether an explicit id could be taken for a generated one. */
  static boolean isReserved(String instanceId) {
    return instanceId.startsWith(PREFIX) || instanceId.contains(MARKER);
  }
}
