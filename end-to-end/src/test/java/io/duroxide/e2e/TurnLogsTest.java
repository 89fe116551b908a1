package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

@DisplayName("What orchestrations log appears when their turn is stored")
class TurnLogsTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final String LOGGER = "io.duroxide.orchestration";

  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    faults.beginStarts();
    world = World.sqlite(Mode.KEPT);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void run(OrchestrationHandler<String, String> code) {
    world.start(n -> n.activity(WORK, (ctx, in) -> in).orchestration(FLOW, code));
    world.client().start(FLOW, "x", "in");
    world.output("x");
    world.stopRuntimes();
  }

  private static final OrchestrationHandler<String, String> TALKING =
      (ctx, in) -> {
        List<String> parts = new ArrayList<>(List.of("begins"));
        ctx.log().info("{}", parts);
        parts.add("changed later");
        ctx.log().info("calls");
        ctx.call(WORK, in).await();
        ctx.log().info("ends");
        return in;
      };

  private static String stored(ILoggingEvent event) {
    return event.getFormattedMessage() + Logs.fields(event).getOrDefault("turn_stored", "");
  }

  @Test
  @DisplayName("RL-058 lines of turns that were not stored are not written, all others once")
  void onceEach() {
    faults.failNext(Faults.START, 1, ProviderException.Kind.UNAVAILABLE);
    faults.failNext(Faults.STEP, 1, ProviderException.Kind.UNAVAILABLE);
    try (Logs logs = Logs.of(LOGGER, Level.INFO)) {
      run(TALKING);

      assertThat(logs.lines()).containsExactly("[begins]", "calls", "ends");
    }
    assertThat(faults.count(Faults.START)).isEqualTo(1);
    assertThat(faults.count(Faults.STEP)).isEqualTo(1);
  }

  @Test
  @DisplayName("RL-058 at DEBUG lines of turns that were not stored are written and say so")
  void atDebug() {
    faults.failNext(Faults.START, 1, ProviderException.Kind.UNAVAILABLE);
    try (Logs logs = Logs.of(LOGGER, Level.DEBUG)) {
      run(TALKING);

      assertThat(logs.written().stream().map(TurnLogsTest::stored))
          .containsExactly("[begins]false", "callsfalse", "[begins]", "calls", "ends");
    }
  }

  @Test
  @DisplayName("RL-058 lines bear the time of their call, and the context of their own thread")
  void timeAndContext() {
    try (Logs logs = Logs.of(LOGGER, Level.INFO)) {
      String before = world.clock().instant().toString();
      MDC.put("request", "of the client");
      try {
        run((ctx, in) -> {
          ctx.log().info("early");
          world.advance(Duration.ofSeconds(5));
          ctx.log().info("late");
          return in;
        });
        assertThat(MDC.get("request")).isEqualTo("of the client");
      } finally {
        MDC.remove("request");
      }
      assertThat(logs.written())
          .extracting(event -> Logs.fields(event).get("logged_at"))
          .containsExactly(before, world.clock().instant().toString());
      assertThat(logs.written())
          .allSatisfy(event -> assertThat(event.getMDCPropertyMap()).isEmpty());
    }
  }

  @Test
  @DisplayName("RL-058 beyond 1,000 lines or 1 MiB a turn writes at once")
  void writtenAtOnce() {
    List<Integer> written = new CopyOnWriteArrayList<>();
    try (Logs logs = Logs.of(LOGGER, Level.INFO)) {
      run((ctx, in) -> {
        for (int i = 0; i < 1_000; i++) {
          ctx.log().info("line {}", i);
        }
        written.add(logs.lines().size());
        ctx.log().info("one more");
        written.add(logs.lines().size());
        ctx.log().info("and the last");
        written.add(logs.lines().size());
        return in;
      });
      assertThat(logs.lines()).hasSize(1_002);
    }
    assertThat(written).containsExactly(0, 1_001, 1_002);
  }

  @Test
  @DisplayName("RL-058 a text of more than 1 MiB is not held back")
  void muchText() {
    List<Integer> written = new CopyOnWriteArrayList<>();
    try (Logs logs = Logs.of(LOGGER, Level.INFO)) {
      run((ctx, in) -> {
        ctx.log().info("first");
        written.add(logs.lines().size());
        ctx.log().info("x".repeat(1 << 20));
        written.add(logs.lines().size());
        return in;
      });
    }
    assertThat(written).containsExactly(0, 2);
  }
}
