package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StoredTextTest {
  private static final String LETTERS = "\u0000\u001A\uD83D\uDE00\uDBFF\uDC00u01d8a";

  @Test
  @DisplayName("RL-065 any text comes back from its stored form, which every database takes")
  void roundTrip() {
    SplittableRandom random = new SplittableRandom(65);
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(12);
      for (int i = 0; i < length; i++) {
        text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }

      String stored = StoredText.escaped(text.toString());

      assertThat(StoredText.unescaped(stored)).isEqualTo(text.toString());
      assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(stored)).isTrue();
      assertThat(stored.indexOf('\u0000')).isNegative();
    }
  }
}
