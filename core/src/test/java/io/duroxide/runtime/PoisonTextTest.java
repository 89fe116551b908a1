package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoisonTextTest {
  private static final WorkItem RAISED = new WorkItem.ExternalRaised("x", "go", "\"1\"");
  private static final WorkItem CANCEL = new WorkItem.CancelInstance("x", "no", null);

  @Test
  @DisplayName("RL-078 poison quotes its batch as a JSON array that the codec reads")
  void batch() throws Exception {
    String text = PoisonText.of(new MessageBatch(List.of(RAISED, CANCEL), null));

    assertThat(text)
        .isEqualTo("[" + WorkItemCodec.encode(RAISED) + "," + WorkItemCodec.encode(CANCEL) + "]");
    int second = text.indexOf(",{\"type\":\"CancelInstance\"");
    assertThat(WorkItemCodec.decode(text.substring(1, second))).isEqualTo(RAISED);
    assertThat(WorkItemCodec.decode(text.substring(second + 1, text.length() - 1)))
        .isEqualTo(CANCEL);
  }

  @Test
  @DisplayName("RL-078 poison quotes its activity as a JSON object that the codec reads")
  void activity() throws Exception {
    ActivityKey key = new ActivityKey("x", 1, 2);
    WorkItem.ActivityExecute item =
        new WorkItem.ActivityExecute(
            key, "Work", "in", ActivityRouting.ANYWHERE, ActivityOrigin.UNKNOWN);

    String text = PoisonText.of(new LockedWork(key, item, null, "token", 4));

    assertThat(WorkItemCodec.decode(text)).isEqualTo(item);
  }

  @Test
  @DisplayName("RL-078 a long quotation is cut at 4,000 characters, never within one")
  void cut() {
    String faces = "😀".repeat(3_000);

    String even = PoisonText.of(batchOf("x" + faces));
    String odd = PoisonText.of(batchOf("xx" + faces));

    assertThat(List.of(even.length(), odd.length())).containsExactlyInAnyOrder(4_000, 3_999);
    assertThat(even.codePoints()).noneMatch(PoisonTextTest::isHalf);
    assertThat(odd.codePoints()).noneMatch(PoisonTextTest::isHalf);
  }

  private static MessageBatch batchOf(String data) {
    return new MessageBatch(List.of(new WorkItem.ExternalRaised("x", "go", data)), null);
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
