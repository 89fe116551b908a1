package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TagFilterTest {

  static Stream<Arguments> kinds() {
    return Stream.of(
        Arguments.of(TagFilter.DEFAULT_ONLY, true, false, false),
        Arguments.of(TagFilter.tags("gpu", "tpu"), false, true, false),
        Arguments.of(TagFilter.defaultAnd("gpu"), true, true, false),
        Arguments.of(TagFilter.ANY, true, true, true),
        Arguments.of(TagFilter.NONE, false, false, false));
  }

  @ParameterizedTest(name = "E2E-551 {0}: untagged {1}, gpu {2}, cpu {3}")
  @MethodSource("kinds")
  void admits(TagFilter filter, boolean untagged, boolean gpu, boolean cpu) {
    assertThat(filter.admits(null)).isEqualTo(untagged);
    assertThat(filter.admits("gpu")).isEqualTo(gpu);
    assertThat(filter.admits("cpu")).isEqualTo(cpu);
  }

  @Test
  @DisplayName("E2E-551 a filter names 1 to 5 tags, the same tag counted once")
  void size() {
    assertThat(TagFilter.tags("a", "b", "c", "d", "e", "e").admits("e")).isTrue();
    assertThatThrownBy(() -> TagFilter.tags("a", "b", "c", "d", "e", "f"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 5 tags, not 6");
    assertThatThrownBy(() -> TagFilter.defaultAnd())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 to 5 tags, not 0");
    assertThatThrownBy(() -> TagFilter.tags()).isInstanceOf(IllegalArgumentException.class);
  }
}
