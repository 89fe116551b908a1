package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

@DisplayName("Spans of time")
class SpansTest {
  @ParameterizedTest(name = "CLI-SPAN {0} is {1}")
  @CsvSource({"500ms,PT0.5S", "30s,PT30S", "5m,PT5M", "2h,PT2H", "7d,PT168H"})
  void read(String text, Duration span) {
    assertThat(new Spans().convert(text)).isEqualTo(span);
  }

  @ParameterizedTest(name = "CLI-SPAN {0} is none")
  @ValueSource(strings = {"", "5", "m", "-5m", "1w", "99999999999d"})
  void refuse(String text) {
    assertThatThrownBy(() -> new Spans().convert(text)).isInstanceOf(TypeConversionException.class);
  }

  @ParameterizedTest(name = "CLI-SPAN {0} reads {1}")
  @CsvSource({
    "PT0S,0ms",
    "PT0.120S,120ms",
    "PT2.34S,2.3s",
    "PT42S,42s",
    "PT2M5S,2m 5s",
    "PT2M,2m",
    "PT3H4M,3h 4m",
    "PT76H,3d 4h",
    "PT-30S,-30s"
  })
  void shown(Duration span, String text) {
    assertThat(Shown.span(span)).isEqualTo(text);
  }
}
