package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages that are remembered")
class KeptMessagesTest {
  private static final long INSTANCE = 7;
  private static final int MIB = 1 << 20;

  private final KeptMessages kept = new KeptMessages();

  private static StoredMessage message(long at, long seq, String payload) {
    return new StoredMessage(
        new Place(at, seq), MessageKind.OTHER, 0, null, null, payload.length(), payload);
  }

  private static StoredMessage message(long at, long seq) {
    return message(at, seq, "payload");
  }

  @Test
  @DisplayName("are not known before it is known that there are no others")
  void unknown() {
    kept.add(INSTANCE, message(1, 1));
    assertThat(kept.of(INSTANCE)).isNull();
    kept.begin(INSTANCE);
    assertThat(kept.of(INSTANCE)).isEmpty();
  }

  @Test
  @DisplayName("leave with their batch; those that came later or turn visible later stay")
  void batch() {
    kept.begin(INSTANCE);
    kept.add(INSTANCE, message(10, 1));
    kept.add(INSTANCE, message(90, 2));
    kept.add(INSTANCE, message(10, 3));
    kept.remove(Batch.whole(INSTANCE, 20, 2));
    assertThat(kept.of(INSTANCE)).containsExactly(message(90, 2), message(10, 3));
  }

  @Test
  @DisplayName("are read again once they were changed in another way")
  void forgotten() {
    kept.begin(INSTANCE);
    kept.begin(INSTANCE + 1);
    kept.forget(INSTANCE);
    assertThat(kept.of(INSTANCE)).isNull();
    assertThat(kept.of(INSTANCE + 1)).isEmpty();
    kept.clear();
    assertThat(kept.of(INSTANCE + 1)).isNull();
  }

  @Test
  @DisplayName("take no more than 4 MiB of characters; what has left does not count")
  void characters() {
    kept.begin(INSTANCE);
    for (int seq = 0; seq < 10; seq++) {
      kept.add(INSTANCE, message(1, seq, "x".repeat(MIB)));
      kept.remove(Batch.whole(INSTANCE, 1, seq));
    }
    kept.begin(INSTANCE + 1);
    kept.add(INSTANCE + 1, message(1, 10, "x".repeat(4 * MIB)));
    assertThat(kept.of(INSTANCE + 1)).hasSize(1);
    kept.add(INSTANCE, message(1, 11));
    assertThat(kept.of(INSTANCE)).isNull();
    assertThat(kept.of(INSTANCE + 1)).isNull();
  }

  @Test
  @DisplayName("are read where there are more than 16 of them, as each would be looked at")
  void many() {
    kept.begin(INSTANCE);
    for (int seq = 0; seq < 16; seq++) {
      kept.add(INSTANCE, message(1, seq));
    }
    assertThat(kept.of(INSTANCE)).hasSize(16);
    kept.add(INSTANCE, message(1, 16));
    assertThat(kept.of(INSTANCE)).isNull();
  }

  @Test
  @DisplayName("are those of 10,000 instances at most")
  void instances() {
    for (long instance = 1; instance <= 10_001; instance++) {
      kept.begin(instance);
    }
    assertThat(kept.of(10_000)).isNull();
    assertThat(kept.of(10_001)).isEmpty();
  }
}
