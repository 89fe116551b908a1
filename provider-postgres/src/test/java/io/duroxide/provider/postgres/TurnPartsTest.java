package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Semver;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is stored of a turn")
class TurnPartsTest {
  private final Locale usual = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(usual);
  }

  @Test
  @DisplayName("does not depend on the digits of the process's language")
  void digits() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

    assertThat(TurnParts.pin(Semver.of(1, 20, 300))).isEqualTo("000000001.000000020.000000300");
  }
}
