package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Damaged texts")
class MutationTest {
  private static final int CASES = 40_000;
  private static final String DAMAGE = "{}[]\",:\\/u0019-+.eE tfnlxyz\0\n\ud800\udc00é\uffff";
  private static final List<String> LINES =
      Stream.of("events.jsonl", "work-items.jsonl")
          .flatMap(name -> GoldenFile.lines(name).stream())
          .toList();

  @Test
  @DisplayName("RE-251 a text cut anywhere is refused")
  void truncated() {
    for (String line : LINES) {
      for (int end = 0; end < line.length(); end++) {
        var cut = line.substring(0, end);
        assertThatThrownBy(() -> EventCodec.decode(cut)).isInstanceOf(DecodeException.class);
        assertThatThrownBy(() -> WorkItemCodec.decode(cut)).isInstanceOf(DecodeException.class);
      }
    }
  }

  @Test
  @DisplayName("RE-251 a damaged text decodes or is refused, nothing else")
  void mutated() {
    for (long seed = 1; seed <= CASES; seed++) {
      var text = damaged(new Random(seed));
      for (var refusal :
          new Throwable[] {
            catchThrowable(() -> EventCodec.decode(text)),
            catchThrowable(() -> WorkItemCodec.decode(text))
          }) {
        if (refusal != null) {
          assertThat(refusal).as("seed %d: %s", seed, text).isInstanceOf(DecodeException.class);
        }
      }
    }
  }

  private static String damaged(Random random) {
    var text = new StringBuilder(LINES.get(random.nextInt(LINES.size())));
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + random.nextInt(12));
      switch (random.nextInt(4)) {
        case 0 -> text.setCharAt(at, DAMAGE.charAt(random.nextInt(DAMAGE.length())));
        case 1 -> text.insert(at, DAMAGE.charAt(random.nextInt(DAMAGE.length())));
        case 2 -> text.insert(random.nextInt(text.length()), text.substring(at, end));
        default -> text.delete(at, Math.min(end, text.length() - 1));
      }
    }
    return text.toString();
  }
}
