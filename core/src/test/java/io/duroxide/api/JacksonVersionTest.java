package io.duroxide.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

class JacksonVersionTest {

  @Test
  @DisplayName("the tests run on the version of Jackson that their lane of the build names")
  void versionOfTheLane() {
    String expected = System.getProperty("jackson.version");

    assertThat(expected).isNotBlank();
    assertThat(new JsonMapper().version()).hasToString(expected);
    assertThat(new JsonFactory().version()).hasToString(expected);
  }
}
