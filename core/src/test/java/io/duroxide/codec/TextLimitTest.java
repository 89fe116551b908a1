package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.TextLimit;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TextLimitTest {
  @ParameterizedTest(name = "RL-063 {0} may have {1} bytes")
  @CsvSource({
    "INSTANCE_ID, 1024",
    "ORCHESTRATION_NAME, 256",
    "ACTIVITY_NAME, 256",
    "EVENT_NAME, 256",
    "QUEUE_NAME, 256",
    "KEY, 1024",
    "SESSION_ID, 256",
    "TAG, 256",
    "NODE_ID, 256",
    "VERSION, 64"
  })
  void table(TextLimit limit, int bytes) {
    assertThat(limit.bytes()).isEqualTo(bytes);
  }

  @ParameterizedTest(name = "RL-063 {0} at its limit is accepted, above it refused with its size")
  @EnumSource(TextLimit.class)
  void bounds(TextLimit limit) {
    int bytes = limit.bytes();
    for (String letter : new String[] {"a", "é", "語", "😀"}) {
      int size = letter.getBytes(StandardCharsets.UTF_8).length;
      String longest = letter.repeat(bytes / size) + "a".repeat(bytes % size);

      assertThat(limit.check(longest)).isEqualTo(longest);
      assertThatThrownBy(() -> limit.check(longest + "a"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith(
              " has %d bytes; at most %d are allowed".formatted(bytes + 1, bytes));
    }
    assertThatThrownBy(() -> limit.check(""))
        .hasMessageEndingWith(" has 0 bytes; at least 1 is needed");
  }

  @Test
  @DisplayName("RL-063 the texts begin with what is limited")
  void words() {
    assertThat(TextLimit.INSTANCE_ID.complaint("a".repeat(1025)))
        .isEqualTo("instance id has 1025 bytes; at most 1024 are allowed");
    assertThat(TextLimit.INSTANCE_ID.complaint("abcd\uD83Def"))
        .isEqualTo("instance id is not well-formed Unicode at character 5");
  }

  @Test
  @DisplayName("RL-064 half a surrogate pair is found wherever it stands")
  void halves() {
    assertThat(TextLimit.KEY.complaint("\uDE00")).endsWith("at character 1");
    assertThat(TextLimit.KEY.complaint("😀\uD83D")).endsWith("at character 3");
    assertThat(TextLimit.KEY.complaint("\uD83D😀")).endsWith("at character 1");
    assertThat(TextLimit.KEY.complaint("😀😀")).isNull();
  }

  @Test
  @DisplayName("RL-063 reasons and error texts are cut at 4 KiB with an ellipsis")
  void remarks() {
    assertThat(TextLimit.remark("a".repeat(4096))).isEqualTo("a".repeat(4096));
    assertThat(TextLimit.remark("a".repeat(4097))).isEqualTo("a".repeat(4093) + "…");
    String faces = TextLimit.remark("😀".repeat(2000));
    assertThat(faces).isEqualTo("😀".repeat(1023) + "…");
    assertThat(faces.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4096);
  }
}
