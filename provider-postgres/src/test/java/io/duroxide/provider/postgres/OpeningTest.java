package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.MigrationMode;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Collectors;
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

  private static final int NEWEST = Migrations.newestVersion();

  private final PostgresOptions applied =
      PostgresOptions.DEFAULT.withSchema(Server.newSchema()).withNotifications(false);
  private final PostgresOptions verified = applied.withMigrations(MigrationMode.VERIFY);
  private final Surgery surgery = new Surgery(applied.schema());

  private ProviderException refused() {
    ProviderException failure =
        catchThrowableOfType(
            ProviderException.class, () -> PostgresProvider.open(Server.url(), verified).close());
    assertThat(failure).as("refusal to open").isNotNull();
    assertThat(failure).hasMessageContaining("schema " + verified.schema());
    assertThat(failure.retryable()).isFalse();
    return failure;
  }

  private static final String HAS_SCHEMA =
      """
      SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = ?
      """;

  private static final String APPLIED =
      """
      SELECT string_agg(version || ' ' || checksum || ' ' || applied_at, ',' ORDER BY version)
      FROM @.migration
      """;

  @Test
  @DisplayName("RL-074 with VERIFY a missing schema is refused and not made")
  void verifiedMissing() {
    assertThat(refused())
        .hasMessageContaining("schema version 0,")
        .hasMessageContaining("needs version " + NEWEST + ";");
    assertThat(surgery.number(HAS_SCHEMA, applied.schema())).isZero();
  }

  @Test
  @DisplayName("RL-074 with VERIFY an older schema is refused and left as it is")
  void verifiedOlder() {
    PostgresProvider.open(Server.url(), applied).close();
    surgery.update("DELETE FROM @.migration WHERE version = ?", NEWEST);
    String before = surgery.text(APPLIED);

    assertThat(refused())
        .hasMessageContaining("schema version " + (NEWEST - 1) + ",")
        .hasMessageContaining("needs version " + NEWEST + ";");
    assertThat(surgery.text(APPLIED)).isEqualTo(before);
  }

  @Test
  @DisplayName("RL-074 with VERIFY a newer schema is refused, which is opened without")
  void verifiedNewer() {
    PostgresProvider.open(Server.url(), applied).close();
    surgery.update(
        "INSERT INTO @.migration (version, name, checksum, applied_at) VALUES (?, 'x', 'x', 0)",
        NEWEST + 1);

    assertThat(refused())
        .hasMessageContaining("schema version " + (NEWEST + 1) + ",")
        .hasMessageContaining("up to " + NEWEST + ";");
    PostgresProvider.open(Server.url(), applied).close();
  }

  @Test
  @DisplayName("RL-074 with VERIFY a schema of this version is opened and left as it is")
  void verified() {
    PostgresProvider.open(Server.url(), applied).close();
    String before = surgery.text(APPLIED);

    try (PostgresProvider provider = PostgresProvider.open(Server.url(), verified)) {
      assertThat(provider.cleanupOrphanedSessions(Duration.ZERO)).isZero();
    }
    assertThat(surgery.text(APPLIED)).isEqualTo(before);
  }

  private static final String FUNCTIONS =
      """
      SELECT string_agg(name || ' ' || checksum, ',' ORDER BY name) FROM @.function_file
      """;

  private static final String OTHER_FUNCTIONS =
      """
      UPDATE @.function_file SET checksum = 'other' WHERE name = 'commits';
      CREATE OR REPLACE FUNCTION @.is_first(p_now bigint, p_receipt uuid, p_settled uuid[]) RETURNS boolean
      LANGUAGE sql AS 'SELECT false';
      UPDATE @.function_file SET checksum = 'other' WHERE name = 'messages'
      """;

  @Test
  @DisplayName("the checksums that a schema has are those of the files of functions")
  void checksums() {
    PostgresProvider.open(Server.url(), applied).close();

    assertThat(surgery.text(FUNCTIONS))
        .isEqualTo(
            SchemaScript.functions().stream()
                .sorted(Comparator.comparing(SchemaScript::name))
                .map(script -> script.name() + " " + script.checksum())
                .collect(Collectors.joining(",")));
  }

  @Test
  @DisplayName(
      "functions that differ are refused with VERIFY, which names them, and replaced without")
  void otherFunctions() {
    PostgresProvider.open(Server.url(), applied).close();
    String checksums = surgery.text(FUNCTIONS);
    surgery.run(OTHER_FUNCTIONS);
    String before = surgery.text(FUNCTIONS);

    assertThat(refused()).hasMessageContaining("messages, commits").hasMessageContaining("APPLY");
    assertThat(surgery.text(FUNCTIONS)).isEqualTo(before);
    try (PostgresProvider store = PostgresProvider.open(Server.url(), applied)) {
      store.enqueueForOrchestrator(
          new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
    }
    assertThat(surgery.text(FUNCTIONS)).isEqualTo(checksums);
    assertThat(surgery.number("SELECT count(*) FROM @.message")).isOne();
    PostgresProvider.open(Server.url(), verified).close();
  }

  @Test
  @DisplayName("the functions of a newer schema are left alone")
  void newerFunctions() {
    PostgresProvider.open(Server.url(), applied).close();
    surgery.run(OTHER_FUNCTIONS);
    surgery.update(
        "INSERT INTO @.migration (version, name, checksum, applied_at) VALUES (?, 'x', 'x', 0)",
        NEWEST + 1);
    String before = surgery.text(FUNCTIONS);

    PostgresProvider.open(Server.url(), applied).close();
    assertThat(surgery.text(FUNCTIONS)).isEqualTo(before);
  }
}
