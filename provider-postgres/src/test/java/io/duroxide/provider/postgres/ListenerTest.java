package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The connection that listens")
class ListenerTest {
  private final Premises premises = Premises.build();
  private final HikariDataSource pool = premises.pool();

  @AfterEach
  void close() {
    premises.leave();
  }

  /** A pool whose connections are not cut: whoever has one gives it back. */
  private DataSource uncut() {
    return DataSource.class.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> uncut(pool.getConnection())));
  }

  private static Connection uncut(Connection connection) {
    return Connection.class.cast(
        Proxy.newProxyInstance(
            ListenerTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) ->
                method.getName().equals("abort") ? null : method.invoke(connection, arguments)));
  }

  private static final String LISTENING =
      """
      SELECT FROM pg_listening_channels()
      """;

  private boolean listens(Connection connection) throws SQLException {
    return new Sql(connection, Schema.named(premises.schema())).exists(LISTENING);
  }

  @Test
  @DisplayName("listens no more when it is given back")
  void givenBack() throws SQLException {
    HikariPoolMXBean state;
    try (PostgresProvider store = PostgresProvider.open(uncut(), premises.options())) {
      state = pool.getHikariPoolMXBean();
      store.listen();
      Awaitility.await().until(() -> store.listeningBackend() != 0);
    }
    Awaitility.await().until(() -> state.getActiveConnections() == 0);

    List<Connection> all = new ArrayList<>();
    for (int i = state.getTotalConnections(); i > 0; i--) {
      all.add(pool.getConnection());
    }
    for (Connection connection : all) {
      assertThat(listens(connection)).isFalse();
      connection.close();
    }
  }
}
