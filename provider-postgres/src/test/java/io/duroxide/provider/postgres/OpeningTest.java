package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.provider.ProviderException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store is opened")
class OpeningTest {

  @Test
  @DisplayName("not with connections that make a transaction of each statement")
  void simpleProtocol() {
    String url = Server.url();
    String simple = url + (url.contains("?") ? "&" : "?") + "preferQueryMode=simple";
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(Server.newSchema());

    assertThatThrownBy(() -> PostgresProvider.open(simple, options))
        .isInstanceOf(ProviderException.class)
        .hasMessageContaining("preferQueryMode=simple");
  }
}
