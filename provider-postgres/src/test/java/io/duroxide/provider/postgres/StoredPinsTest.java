package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionPin;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A stored pin")
class StoredPinsTest {
  private final Locale usual = Locale.getDefault();

  @AfterEach
  void restore() {
    Locale.setDefault(usual);
  }

  @Test
  @DisplayName("RL-079 stands in the order of its numbers, however many digits they have")
  void order() {
    List<String> written =
        Stream.of("0.9.10", "1.20.300", "9.0.0", "10.0.0", "999999999.0.0", "9999999999.0.0")
            .map(version -> StoredPins.write(Semver.parse(version)))
            .toList();

    assertThat(written).isSorted();
    assertThat(written.get(1))
        .isEqualTo("0000000000000000001.0000000000000000020.0000000000000000300");
    assertThat(StoredPins.read(written.get(1))).isEqualTo(new ExecutionPin("1.20.300"));
  }

  @Test
  @DisplayName("does not depend on the digits of the process's language")
  void digits() {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));

    assertThat(StoredPins.write(Semver.of(1, 20, 300))).matches("[0-9.]+");
  }

  @Test
  @DisplayName("RL-079 that cannot be read stays as it is")
  void unreadable() {
    ExecutionPin garbage = new ExecutionPin("0.garbage");

    assertThat(StoredPins.write(garbage)).isEqualTo("0.garbage");
    assertThat(StoredPins.read("0.garbage")).isEqualTo(garbage);
    assertThat(garbage.version()).isEmpty();
  }
}
