package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What users and the runtime write to the log. */
class TraceLogsTest extends Scenario {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW = texts("Flow");
  private static final List<Level> FOUR = List.of(Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR);

  private static void allLevels(Logger log) {
    log.debug("a {}", "debug");
    log.info("an info");
    log.warn("a warning");
    log.error("an error");
  }

  private static List<Level> levels(Logs logs) {
    return logs.written().stream().map(ILoggingEvent::getLevel).toList();
  }

  @Test
  @DisplayName("E2E-750 activities log at four levels with instance, execution and names as fields")
  void activities() {
    try (Logs logs = Logs.of("io.duroxide.activity", Level.DEBUG)) {
      world.start(n ->
          n.activity(
                  WORK,
                  (ctx, in) -> {
                    allLevels(ctx.log());
                    return in;
                  })
              .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
      world.client().start(FLOW, "i", "");
      world.output("i");

      assertThat(levels(logs)).isEqualTo(FOUR);
      assertThat(logs.lines()).containsExactly("a debug", "an info", "a warning", "an error");
      assertThat(logs.written())
          .allSatisfy(line ->
              assertThat(Logs.fields(line))
                  .containsAllEntriesOf(
                      Map.of(
                          "instance_id", "i",
                          "execution_id", "1",
                          "orchestration_name", "Flow",
                          "orchestration_version", "1.0.0",
                          "activity_name", "Work",
                          "activity_id", "2"))
                  .containsKey("worker_id"));
    }
  }

  @Test
  @DisplayName("E2E-751 orchestrations log at four levels, with version, once despite replay")
  void orchestrations() {
    try (Logs logs = Logs.of("io.duroxide.orchestration", Level.DEBUG)) {
      world.start(n ->
          n.activity(WORK, (ctx, in) -> in)
              .orchestration(
                  FLOW,
                  "2.1.0",
                  (ctx, in) -> {
                    allLevels(ctx.log());
                    ctx.call(WORK, in).await();
                    ctx.call(WORK, in).await();
                    return "";
                  }));
      world.client().start(FLOW, "i", "");
      world.output("i");

      assertThat(levels(logs)).isEqualTo(FOUR);
      assertThat(logs.written())
          .allSatisfy(line ->
              assertThat(Logs.fields(line))
                  .containsAllEntriesOf(
                      Map.of(
                          "instance_id", "i",
                          "execution_id", "1",
                          "orchestration_name", "Flow",
                          "orchestration_version", "2.1.0"))
                  .containsKey("worker_id")
                  .doesNotContainKeys("activity_name", "activity_id"));
    }
  }

  @Test
  @DisplayName("E2E-750 what a handler's libraries log carries the activity as context")
  void context() {
    try (Logs logs = Logs.of("shop.payments", Level.INFO)) {
      world.start(n ->
          n.activity(
                  WORK,
                  (ctx, in) -> {
                    LoggerFactory.getLogger("shop.payments").info("charged");
                    return in;
                  })
              .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
      world.client().start(FLOW, "i", "");
      world.output("i");

      assertThat(logs.written().getFirst().getMDCPropertyMap())
          .containsAllEntriesOf(
              Map.of(
                  "instance_id", "i",
                  "execution_id", "1",
                  "orchestration_name", "Flow",
                  "activity_name", "Work",
                  "activity_id", "2"));
    }
  }

  @Test
  @DisplayName("E2E-751 the runtime logs start and end of an execution once, with its fields")
  void lifeOfAnExecution() {
    try (Logs logs = Logs.of("io.duroxide.runtime.turns", Level.DEBUG)) {
      world.start(n ->
          n.activity(WORK, (ctx, in) -> in)
              .orchestration(
                  FLOW, (ctx, in) -> in.isEmpty() ? ctx.call(WORK, "done").await() : fail(in)));
      world.client().start(FLOW, "i", "");
      world.output("i");
      world.client().start(FLOW, "f", "no stock");
      world.failure("f");
      world.until(() -> about(logs, "i").size() == 2 && about(logs, "f").size() == 2);

      assertThat(messages(logs, "i"))
          .containsExactly("orchestration started", "orchestration completed");
      assertThat(messages(logs, "f"))
          .containsExactly("orchestration started", "orchestration failed");
      ILoggingEvent failed = about(logs, "f").getLast();
      assertThat(failed.getLevel()).isEqualTo(Level.WARN);
      assertThat(Logs.fields(failed))
          .containsEntry("error_type", "app_error")
          .containsEntry("orchestration_name", "Flow")
          .containsEntry("history_events", "2");
      assertThat(Logs.fields(failed).get("error")).contains("no stock");
    }
  }

  private static String fail(String message) {
    throw new IllegalStateException(message);
  }

  private static List<ILoggingEvent> about(Logs logs, String instance) {
    return logs.written().stream()
        .filter(line -> instance.equals(Logs.fields(line).get("instance_id")))
        .toList();
  }

  private static List<String> messages(Logs logs, String instance) {
    return about(logs, instance).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  @DisplayName("E2E-767 a node logs at its start what runs on what, and which versions it replays")
  void start() {
    try (Logs logs = Logs.of("io.duroxide.runtime", Level.INFO)) {
      world.start(n -> {});

      assertThat(Logs.fields(logs.written().getFirst()))
          .containsKeys("framework_version", "provider_name", "provider_version", "worker_id");
      assertThat(Logs.fields(logs.written().get(1))).containsKey("supported_range");
    }
  }
}
