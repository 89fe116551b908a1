package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@DisplayName("Passwords of addresses")
class SecretAddressTest {
  private static final String SECRET = "hush";

  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final List<String> driverLines = Collections.synchronizedList(new ArrayList<>());
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final java.util.logging.Logger driverRoot = LogManager.getLogManager().getLogger("");
  private final Level level = root.getLevel();
  private final java.util.logging.Level driverLevel = driverRoot.getLevel();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          driverLines.add(new SimpleFormatter().format(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    lines.start();
    root.addAppender(lines);
    root.setLevel(Level.TRACE);
    handler.setLevel(java.util.logging.Level.ALL);
    driverRoot.addHandler(handler);
    driverRoot.setLevel(java.util.logging.Level.ALL);
  }

  @AfterEach
  void leave() {
    root.detachAppender(lines);
    root.setLevel(level);
    driverRoot.removeHandler(handler);
    driverRoot.setLevel(driverLevel);
  }

  private static String printed(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private static String library(String address) {
    PostgresOptions options = PostgresOptions.DEFAULT.withPatience(Duration.ofMillis(250));
    Throwable failure = catchThrowable(() -> PostgresProvider.open(address, options).close());
    assertThat(failure).as("nothing answers there").isNotNull();
    return printed(failure);
  }

  @ParameterizedTest(name = "RL-068 nothing tells the password of address {index}")
  @ValueSource(
      strings = {
        "postgresql://kim:hush@127.0.0.1:1/x",
        "postgres://kim:hush@127.0.0.1:1/x",
        "jdbc:postgresql://kim:hush@127.0.0.1:1/x",
        "jdbc:postgresql://127.0.0.1:1/x?user=kim&password=hush",
        "postgresql://127.0.0.1:1/x?user=kim&password=hush",
        "postgresql://kim:p@hush@127.0.0.1:1/x",
        "postgresql://kim:hush@127.0.0.1:port/x",
        "postgresql://kim:hush@127.0.0.1:99999/x",
        "postgresql://kim:hush@127.0.0.1:/x",
        "postgresql://kim:hush@/x",
        "postgresql://kim:hush@127.0.0.1",
        "postgresql://kim:hush@127.0.0.1/",
        "postgresql://kim:hush",
        "postgresql://kim:hush/x",
        "postgresql://kim:hush#1@127.0.0.1:1/x",
        "postgresql://kim:hu%sh-hush@127.0.0.1:1/x",
        "postgresql://kim:hush @127.0.0.1:1/x",
        "postgresql://kim:hush\\1@127.0.0.1:1/x",
        "postgresql://kim:[hush]@127.0.0.1:1/x",
        "postgresql://kim:hush@[::1/x",
        "postgresql://kim:hush@host name/x",
        "postgresql://kim:hush@127.0.0.1:1/x y",
        "postgresql://kim:hush@127.0.0.1:1/x?schema=a b",
        "postgresql://kim:hush@127.0.0.1:1/x?schema=%zz",
        "postgresql:kim:hush@127.0.0.1:1/x",
        "postgresql:/kim:hush@127.0.0.1:1/x",
        "postgresql//kim:hush@127.0.0.1:1/x",
        "postgersql://kim:hush@127.0.0.1:1/x",
        "PostgreSQL://kim:hush@127.0.0.1:1/x",
        "jdbc:postgres://kim:hush@127.0.0.1:1/x",
        "jdbc:jdbc:postgresql://kim:hush@127.0.0.1:1/x",
        "jdbc:postgresql:kim:hush@127.0.0.1:1/x",
        "jdbc:postgresql://127.0.0.1:port/x?password=hush",
        "jdbc:postgresql://127.0.0.1:1/x?password=hush%",
        "jdbc:postgresql://127.0.0.1:1/x;password=hush",
        "jdbc:postgresql://127.0.0.1:1/x?user=kim;password=hush pass",
        "jdbc://kim:hush@127.0.0.1:1/x",
        "://kim:hush@127.0.0.1:1/x",
        "//kim:hush@127.0.0.1:1/x",
        "kim:hush@127.0.0.1:1/x",
        "kim/hush@127.0.0.1/x",
        "mysql://kim:hush@127.0.0.1/x"
      })
  void addresses(String address) {
    Shell.Ran listed = Shell.script().run("list", "--store", address);
    Shell.Ran started = Shell.script().run("start", "Hello", "h", "--create", "--store", address);

    assertThat(listed.exit()).isNotZero();
    assertThat(started.exit()).isNotZero();
    assertThat(listed.out() + listed.err() + started.out() + started.err()).doesNotContain(SECRET);
    assertThat(library(address)).doesNotContain(SECRET);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.contains(SECRET));
    for (ILoggingEvent line : List.copyOf(lines.list)) {
      assertThat(line.getFormattedMessage()).doesNotContain(SECRET);
      if (line.getThrowableProxy() != null) {
        assertThat(ThrowableProxyUtil.asString(line.getThrowableProxy())).doesNotContain(SECRET);
      }
    }
    assertThat(driverLines).noneMatch(line -> line.contains(SECRET));
  }
}
