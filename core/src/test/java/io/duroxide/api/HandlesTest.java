package io.duroxide.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Handles")
class HandlesTest {
  private static final TypeRef<String> TEXT = TypeRef.of(String.class);
  private static final TypeRef<List<String>> TEXTS = new TypeRef<>() {};

  @Test
  @DisplayName("classes and type references mix")
  void mixed() {
    assertThat(Activity.of("A", TEXTS, String.class)).isEqualTo(Activity.of("A", TEXTS, TEXT));
    assertThat(Activity.of("A", String.class, TEXTS)).isEqualTo(Activity.of("A", TEXT, TEXTS));
    assertThat(Orchestration.of("O", TEXTS, String.class))
        .isEqualTo(Orchestration.of("O", TEXTS, TEXT));
    assertThat(Orchestration.of("O", String.class, TEXTS))
        .isEqualTo(Orchestration.of("O", TEXT, TEXTS));
  }
}
