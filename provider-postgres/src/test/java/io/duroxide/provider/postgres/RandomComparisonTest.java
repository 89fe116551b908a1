package io.duroxide.provider.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.duroxide.provider.Provider;
import io.duroxide.provider.tck.ComparisonTck;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("Random operations")
class RandomComparisonTest {
  private static final int SEQUENCES = Integer.getInteger("random.sequences", 100);
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

  @Nested
  @DisplayName("as they come")
  class Usual extends Comparison {}

  @Nested
  @DisplayName("with every commit as one of several, and every fetch as if it were an unusual one")
  class Unusual extends Comparison {
    @Override
    void alter(Surgery surgery) {
      PostgresFixture.commitTogether(surgery);
      surgery.alter("fetch_lone", "BEGIN\n", "BEGIN\n  RETURN;\n");
    }
  }

  /** One schema serves all sequences, emptied before each. */
  abstract static class Comparison extends ComparisonTck {
    final String schema = Server.newSchema();
    private boolean altered;

    /** Changes the schema once it is there. */
    void alter(Surgery surgery) {}

    @Override
    protected boolean hasWindows() {
      return true;
    }

    @Override
    protected boolean offersTransfer() {
      return true;
    }

    @Override
    protected int sequences() {
      return SEQUENCES;
    }

    private static final String CLEAR =
        """
        DELETE FROM @.instance; DELETE FROM @.execution; DELETE FROM @.history;
        DELETE FROM @.message; DELETE FROM @.work; DELETE FROM @.session;
        DELETE FROM @.kv_base; DELETE FROM @.kv_delta; DELETE FROM @.custom_status;
        DELETE FROM @.clock
        """;

    @Override
    protected Provider open(InstantSource clock) {
      Surgery surgery = new Surgery(schema);
      if (altered) {
        surgery.run(CLEAR);
      }
      PostgresProvider provider =
          PostgresProvider.open(
              POOL,
              PostgresOptions.DEFAULT
                  .withSchema(schema)
                  .withConnections(2)
                  .withNotifications(false)
                  .withClock(clock));
      if (!altered) {
        alter(surgery);
        altered = true;
      }
      return provider;
    }
  }
}
