package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The order of stored texts")
class StoredOrderTest {
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "ab",
          "b",
          "\u00e9",
          "\ud7ff",
          "\uff61",
          "\uff61a",
          "\ud83d\ude00",
          "\ud83d\ude01",
          "\ud83e\udd16",
          "a\ud83d\ude00",
          "a\uffee");

  @Test
  @DisplayName("is that of their bytes")
  void bytes() {
    for (String one : TEXTS) {
      for (String other : TEXTS) {
        int expected =
            Arrays.compareUnsigned(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
        assertThat(Integer.signum(StoredOrder.compare(one, other)))
            .isEqualTo(Integer.signum(expected));
      }
    }
  }
}
