package io.duroxide.provider.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.duroxide.provider.Provider;
import io.duroxide.provider.tck.ComparisonTck;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;

/** One schema serves all sequences, emptied before each. */
@DisplayName("Random operations")
class RandomComparisonTest extends ComparisonTck {
  private static final int SEQUENCES = Integer.getInteger("random.sequences", 150);
  private static final String SCHEMA = Server.newSchema();
  private static final PostgresOptions OPTIONS =
      PostgresOptions.DEFAULT.withSchema(SCHEMA).withConnections(2).withNotifications(false);
  private static final HikariDataSource POOL = newPool();

  private static HikariDataSource newPool() {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(Server.url());
    pool.setMaximumPoolSize(4);
    return pool;
  }

  @AfterAll
  static void closePool() {
    POOL.close();
  }

  @Override
  protected int sequences() {
    return SEQUENCES;
  }

  private static final String CLEAR =
      """
      DELETE FROM @.instance; DELETE FROM @.execution; DELETE FROM @.history;
      DELETE FROM @.message; DELETE FROM @.work; DELETE FROM @.session;
      DELETE FROM @.kv_base; DELETE FROM @.kv_delta; DELETE FROM @.custom_status
      """;

  @Override
  protected Provider open(InstantSource clock) {
    PostgresProvider provider = PostgresProvider.open(POOL, OPTIONS.withClock(clock));
    new Surgery(SCHEMA).run(CLEAR);
    return provider;
  }
}
