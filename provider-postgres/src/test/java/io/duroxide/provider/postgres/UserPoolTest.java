package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("A pool of the user")
class UserPoolTest {
  private final Premises premises = Premises.build();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  private final Logger own = (Logger) LoggerFactory.getLogger("io.duroxide.providers");
  private final Level level = root.getLevel();
  private final Level ownLevel = own.getLevel();

  @AfterEach
  void close() {
    root.detachAppender(lines);
    root.setLevel(level);
    own.setLevel(ownLevel);
    premises.leave();
  }

  private void listenToLog() {
    lines.start();
    root.addAppender(lines);
    root.setLevel(Level.INFO);
    own.setLevel(Level.INFO);
  }

  private List<ILoggingEvent> loud() {
    return List.copyOf(lines.list).stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.INFO))
        .toList();
  }

  @Test
  @DisplayName("RL-073 gets the listening connection back usable, and the log says nothing")
  void returned() throws SQLException {
    PostgresOptions patient = premises.options().withPatience(Duration.ofMinutes(1));
    PostgresProvider store = PostgresProvider.open(premises.pool(), patient);
    store.listen();
    Awaitility.await().until(store::hears);
    int backend = store.listeningBackend();
    listenToLog();

    store.close();

    assertThat(loud()).isEmpty();
    assertThat(premises.pool().getHikariPoolMXBean().getActiveConnections()).isZero();
    try (Connection connection = Server.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE pid = " + backend)) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).as("the connection still lives").isOne();
    }
  }

  @Test
  @DisplayName("RL-073 that waits longer than the store has patience is warned of")
  void warned() {
    listenToLog();
    PostgresProvider.open(premises.pool(), premises.options()).close();

    assertThat(loud())
        .extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.startsWith("the pool waits 30000 ms"));
  }

  @Test
  @DisplayName(
      "RL-073 that lends nothing keeps operations to their patience, and close to its time")
  void lendsNothing() {
    AtomicBoolean away = new AtomicBoolean();
    PostgresOptions hasty = premises.options().withPatience(Duration.ofMillis(200));
    PostgresProvider store = PostgresProvider.open(stubborn(away), hasty);
    away.set(true);
    WorkItem start = new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null);

    for (Runnable call :
        List.<Runnable>of(
            () -> store.enqueueForOrchestrator(start, Duration.ZERO), () -> store.read("x"))) {
      ProviderException failure = catchThrowableOfType(ProviderException.class, call::run);
      assertThat(failure.kind()).as(failure.getMessage()).isEqualTo(Kind.UNAVAILABLE);
    }
    store.close();
  }

  /** Connections that are waited for without end, until an interrupt. */
  private DataSource stubborn(AtomicBoolean away) {
    return proxy(() -> {
      if (away.get()) {
        try {
          new CountDownLatch(1).await();
        } catch (InterruptedException ended) {
          throw new SQLException("interrupted", "08001", ended);
        }
      }
      return premises.pool().getConnection();
    });
  }

  @Test
  @DisplayName("RL-072 a server that starts is waited for; a wrong password is told at once")
  void opening() {
    AtomicInteger refusals = new AtomicInteger(3);
    DataSource starting =
        proxy(() -> {
          if (refusals.getAndDecrement() > 0) {
            throw new SQLException("FATAL: the database system is starting up", "57P03");
          }
          return premises.pool().getConnection();
        });
    PostgresProvider.open(starting, premises.options()).close();
    assertThat(refusals.get()).isNegative();

    for (String state : List.of("28P01", "3D000", "42501")) {
      AtomicInteger asked = new AtomicInteger();
      DataSource refusing =
          proxy(() -> {
            asked.incrementAndGet();
            throw new SQLException("no connection", "08001", new SQLException("wrong", state));
          });
      ProviderException failure =
          catchThrowableOfType(
              ProviderException.class, () -> PostgresProvider.open(refusing, premises.options()));
      assertThat(failure.retryable()).isFalse();
      assertThat(failure).hasMessageStartingWith("open: wrong; check user, password");
      assertThat(asked).as(state).hasValue(1);
    }
  }

  /** Where connections come from. */
  @FunctionalInterface
  private interface Lender {
    Connection lend() throws SQLException;
  }

  private DataSource proxy(Lender lender) {
    return (DataSource)
        Proxy.newProxyInstance(
            UserPoolTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return lender.lend();
              }
              try {
                return method.invoke(premises.pool(), arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }
}
