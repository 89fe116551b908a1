package io.duroxide.e2e;

import static io.duroxide.api.ContinueOptions.prune;
import static io.duroxide.model.Retention.keepLast;
import static io.duroxide.model.Retention.maxAge;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ContinueOptions;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.management.Management;
import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.PruneOptions;
import io.duroxide.runtime.AutoPruneConfig;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.PruneSweep;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PrunePoliciesTest extends Scenario {
  private static final Orchestration<Integer, String> LOOP =
      Orchestration.of("Loop", Integer.class, String.class);
  private static final Orchestration<String, String> ECHO = texts("Echo");
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);
  private static final Duration OFTEN = Duration.ofMillis(5);

  private static AutoPrunePolicy keep(int count) {
    return AutoPrunePolicy.of(keepLast(count));
  }

  private List<Long> executions(String instance) {
    return admin().listExecutions(instance);
  }

  /** Counts down; instances say by their names how. */
  private static String countDown(OrchestrationContext ctx, int n) {
    if (n == 0) {
      if (ctx.instanceId().startsWith("asking")) {
        ctx.timer(Duration.ZERO).await();
        ctx.pruneHistory(keepLast(1));
      }
      return "end";
    }
    return ctx.instanceId().startsWith("saying")
        ? ctx.continueAsNew(n - 1, prune(keepLast(1)))
        : ctx.continueAsNew(n - 1);
  }

  private List<Long> run(String instance, StartOptions options) {
    world.client().start(LOOP, instance, 11, options);
    assertThat(world.output(instance)).isEqualTo("end");
    return executions(instance);
  }

  private static Long[] lastOfTwelve(int count) {
    return LongStream.rangeClosed(13 - count, 12).boxed().toArray(Long[]::new);
  }

  @Test
  @DisplayName(
      "E2E-944 the code, the instance, the override, version, name, default: in this order")
  void precedence() {
    AtomicReference<AutoPruneConfig> config =
        new AtomicReference<>(
            AutoPruneConfig.PLAIN.withOverride("Loop", keep(3)).withDefault(keep(6)));
    StartOptions plain = StartOptions.defaults();
    StartOptions own = StartOptions.autoPrune(keep(2));
    DuroxideRuntime all =
        world.start(
            world.options().autoPrune(config::get),
            node ->
                node.orchestration(LOOP, PrunePoliciesTest::countDown)
                    .autoPrune(LOOP, keep(5))
                    .autoPrune(LOOP, "1.0.0", keep(4)));
    assertThat(run("saying", own)).containsExactly(lastOfTwelve(1));
    assertThat(run("own", own)).containsExactly(lastOfTwelve(2));
    assertThat(run("override", plain)).containsExactly(lastOfTwelve(3));
    config.set(AutoPruneConfig.PLAIN.withDefault(keep(6)));
    assertThat(run("version", plain)).containsExactly(lastOfTwelve(4));
    assertThat(run("off", StartOptions.autoPrune(AutoPrune.DISABLED)))
        .containsExactly(lastOfTwelve(12));
    all.close();
    DuroxideRuntime named =
        world.start(
            world.options().autoPrune(config::get),
            node ->
                node.orchestration(LOOP, PrunePoliciesTest::countDown).autoPrune(LOOP, keep(5)));
    assertThat(run("name", plain)).containsExactly(lastOfTwelve(5));
    named.close();
    world.start(
        world.options().autoPrune(config::get),
        node -> node.orchestration(LOOP, PrunePoliciesTest::countDown));
    assertThat(run("default", plain)).containsExactly(lastOfTwelve(6));
    config.set(AutoPruneConfig.PLAIN);
    assertThat(run("nobody", plain)).containsExactly(lastOfTwelve(12));
  }

  @Test
  @DisplayName("E2E-945 a floor of five leaves five, whoever asks for one")
  void floor() {
    AutoPruneConfig floor = AutoPruneConfig.PLAIN.withFloor(keepLast(5));
    AtomicReference<AutoPruneConfig> config = new AtomicReference<>(floor);
    world.start(
        world.options().autoPrune(config::get),
        node -> node.orchestration(LOOP, PrunePoliciesTest::countDown).autoPrune(LOOP, keep(1)));
    StartOptions off = StartOptions.autoPrune(AutoPrune.DISABLED);
    assertThat(run("asking", off)).containsExactly(lastOfTwelve(5));
    assertThat(world.events("asking", EventKind.HistoryPruned.class))
        .extracting(EventKind.HistoryPruned::keepLast)
        .containsExactly(5);
    assertThat(run("saying", off)).containsExactly(lastOfTwelve(5));
    assertThat(run("own", StartOptions.autoPrune(keep(1)))).containsExactly(lastOfTwelve(5));
    assertThat(run("registered", StartOptions.defaults())).containsExactly(lastOfTwelve(5));
    config.set(floor.withOverride("Loop", keep(1)));
    assertThat(run("configured", StartOptions.defaults())).containsExactly(lastOfTwelve(5));
  }

  @Test
  @DisplayName("E2E-946 the last execution of the version before stays until the version changes")
  void previousVersion() {
    world.start(node ->
        node.orchestration(LOOP, "1.0.0", PrunePoliciesTest::asToldBy)
            .orchestration(LOOP, "2.0.0", PrunePoliciesTest::asToldBy)
            .orchestration(LOOP, "3.0.0", PrunePoliciesTest::asToldBy)
            .autoPrune(LOOP, keep(1)));
    world.client().start(LOOP, "loop", 0, StartOptions.version("1.0.0"));
    goOn("1.0.0", 1L, 2L);
    goOn("1.0.0", 2L, 3L);
    goOn("2.0.0", 3L, 3L, 4L);
    goOn("2.0.0", 4L, 3L, 5L);
    goOn("2.0.0", 5L, 3L, 6L);
    goOn("3.0.0", 6L, 6L, 7L);
    goOn("3.0.0", 7L, 6L, 8L);
    Management.of(world.store()).prune("loop", PruneOptions.keepLast(1));
    assertThat(executions("loop")).containsExactly(8L);
  }

  private static String asToldBy(OrchestrationContext ctx, int n) {
    String version = ctx.waitFor(GO).await();
    return ctx.continueAsNew(n + 1, ContinueOptions.version(version));
  }

  /** Lets execution {@code from} continue as this version; these are left then. */
  private void goOn(String version, long from, Long... left) {
    awaitEvent("loop", from, EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("loop", GO, version);
    awaitEvent("loop", from + 1, EventKind.ExternalSubscribed.class);
    Long[] expected = left.length == 1 ? new Long[] {from + 1} : left;
    assertThat(executions("loop")).containsExactly(expected);
  }

  @Test
  @DisplayName("E2E-943 a sweep prunes what grows old while its instance waits, by its own policy")
  void sweep() {
    AtomicReference<AutoPruneConfig> config =
        new AtomicReference<>(
            AutoPruneConfig.PLAIN
                .withDefault(AutoPrunePolicy.of(maxAge(Duration.ofHours(1)).andKeepLast(2)))
                .withSweep(PruneSweep.every(OFTEN).withLimit(2)));
    world.start(
        world.options().autoPrune(config::get),
        node ->
            node.orchestration(
                LOOP, (ctx, n) -> n > 0 ? ctx.continueAsNew(n - 1) : ctx.waitFor(GO).await()));
    world.client().start(LOOP, "loop", 5);
    world.client().start(LOOP, "own", 5, StartOptions.autoPrune(keep(4)));
    world.client().start(LOOP, "off", 5, StartOptions.autoPrune(AutoPrune.DISABLED));
    for (String instance : List.of("loop", "own", "off")) {
      awaitEvent(instance, 6, EventKind.ExternalSubscribed.class);
    }
    assertThat(executions("loop")).hasSize(6);
    world.advance(Duration.ofHours(2));
    world.until(() -> executions("loop").equals(List.of(5L, 6L)));
    assertThat(executions("own")).containsExactly(3L, 4L, 5L, 6L);
    assertThat(executions("off")).hasSize(6);
    config.updateAndGet(before -> before.withEnabled(false));
    world.client().raiseEvent("loop", GO, "done");
    assertThat(world.output("loop")).isEqualTo("done");
  }

  @Test
  @DisplayName("E2E-943 a sweep deletes instances that ended long enough ago, by how they ended")
  void retention() {
    PruneSweep sweep =
        PruneSweep.every(OFTEN)
            .withLimit(2)
            .deleting(ExecutionStatus.COMPLETED, Duration.ofHours(1));
    world.start(
        world.options().autoPrune(AutoPruneConfig.PLAIN.withSweep(sweep)),
        node ->
            node.orchestration(
                ECHO,
                (ctx, in) -> {
                  if (in.equals("fail")) {
                    throw new IllegalStateException(in);
                  }
                  return in.equals("wait") ? ctx.waitFor(GO).await() : in;
                }));
    for (String input : List.of("a", "b", "c", "d", "e", "fail", "wait")) {
      world.client().start(ECHO, input, input);
    }
    for (String input : List.of("a", "b", "c", "d", "e", "fail")) {
      world.end(input);
    }
    world.awaitEvent("wait", EventKind.ExternalSubscribed.class);
    world.advance(Duration.ofMinutes(50));
    world.client().start(ECHO, "young", "young");
    world.end("young");
    world.advance(Duration.ofMinutes(20));
    world.until(() -> admin().listInstances().size() == 3);
    assertThat(admin().listInstances()).containsExactlyInAnyOrder("fail", "wait", "young");
    assertThat(world.client().status("wait")).isInstanceOf(OrchestrationStatus.Running.class);
  }
}
