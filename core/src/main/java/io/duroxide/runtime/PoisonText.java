package io.duroxide.runtime;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import java.util.stream.Collectors;

/** What poison errors quote: messages in their stored form, cut to a readable length. Pure. */
final class PoisonText {
  private static final int LONGEST = 4_000;

  private PoisonText() {}

  /** A batch as a JSON array. */
  static String of(MessageBatch batch) {
    return cut(
        batch.items().stream()
            .map(WorkItemCodec::encode)
            .collect(Collectors.joining(",", "[", "]")));
  }

  /** An activity as a JSON object; one that cannot be decoded, by the reason. */
  static String of(LockedWork activity) {
    WorkItem item = activity.item();
    return cut(item == null ? String.valueOf(activity.decodeError()) : WorkItemCodec.encode(item));
  }

  private static String cut(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    boolean splits = Character.isHighSurrogate(text.charAt(LONGEST - 1));
    return text.substring(0, splits ? LONGEST - 1 : LONGEST);
  }
}
