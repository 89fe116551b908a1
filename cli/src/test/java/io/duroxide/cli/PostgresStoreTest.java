package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.client.StartOptions;
import io.duroxide.provider.Provider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.support.SharedServer;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A store in PostgreSQL")
class PostgresStoreTest {
  /** The address of the server as users write it, with a password that it does not ask for. */
  static String address(String more) {
    URI address = URI.create(SharedServer.url().substring("jdbc:".length()));
    return "postgresql://postgres:hush@localhost:" + address.getPort() + address.getPath() + more;
  }

  private static Shell.Ran run(String address, String... command) {
    String[] all = new String[command.length + 2];
    System.arraycopy(command, 0, all, 0, command.length);
    all[command.length] = "--store";
    all[command.length + 1] = address;
    return Shell.script().run(all);
  }

  @Test
  @DisplayName("CLI-STORE every form of the address opens the same store")
  void opens() {
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema("orders");
    try (Provider store = PostgresProvider.open(SharedServer.url(), options)) {
      Client.of(store).start("Hello", "order-1", "null", StartOptions.defaults());
    }
    for (String address :
        new String[] {address("?schema=orders"), "jdbc:" + address("?schema=orders")}) {
      Shell.Ran ran = run(address, "depths", "--json");
      assertThat(ran.err()).isEmpty();
      assertThat(ran.json().toString()).contains("\"ready\":1");
    }
  }

  @Test
  @DisplayName("CLI-STORE a schema is made by start --create alone")
  void creates() {
    Shell.Ran missing = run(address("?schema=nowhere"), "list");
    assertThat(missing.exit()).isEqualTo(3);
    assertThat(missing.err()).contains("'nowhere'").hasLineCount(1);
    assertThat(run(address("?schema=fresh"), "start", "Hello", "x", "--create").exit()).isZero();
    assertThat(run(address("?schema=fresh"), "list").exit()).isZero();
  }

  @Test
  @DisplayName("CLI-ERROR a server that is not there is told in one line, without the password")
  void unreachable() {
    Shell.Ran ran = run("postgresql://kim:hush@localhost:1/x", "list");
    assertThat(ran.exit()).isEqualTo(3);
    assertThat(ran.err()).hasLineCount(1).contains("localhost:1").doesNotContain("hush");
  }

  @ParameterizedTest(name = "CLI-ERROR {0}")
  @ValueSource(
      strings = {
        "postgresql://",
        "postgresql://host",
        "postgresql://host/",
        "jdbc:postgresql:database",
        "postgresql://ho st/db"
      })
  void malformed(String address) {
    Shell.Ran ran = run(address, "list");
    assertThat(ran.exit()).isEqualTo(2);
    assertThat(ran.err()).hasLineCount(1).contains("postgresql://user@host");
  }
}
