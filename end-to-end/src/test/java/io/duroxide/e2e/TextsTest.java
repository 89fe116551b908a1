package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.management.Force;
import io.duroxide.management.StoreCopy;
import io.duroxide.model.TextLimit;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.runtime.RuntimeOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Ids and names with limits, and payloads without. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class TextsTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);
  private static final Orchestration<Integer, Integer> DEEP =
      Orchestration.of("Deep", Integer.class, Integer.class);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final String AWKWARD = "a\uD83Db\u0000c\u001A0\uDE00\uD83D\uD83D\uDE00";

  @Parameter private Mode mode;
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** A call that takes a text. */
  private record Taker(TextLimit limit, Consumer<String> call) {}

  private static List<Taker> callsOf(Client client) {
    StartOptions defaults = StartOptions.defaults();
    return List.of(
        new Taker(TextLimit.INSTANCE_ID, id -> client.start("Flow", id, "", defaults)),
        new Taker(TextLimit.INSTANCE_ID, id -> client.raiseEvent(id, "e", "")),
        new Taker(TextLimit.INSTANCE_ID, id -> client.enqueue(id, "q", "")),
        new Taker(TextLimit.INSTANCE_ID, id -> client.cancel(id, "")),
        new Taker(TextLimit.ORCHESTRATION_NAME, name -> client.start(name, "n", "", defaults)),
        new Taker(TextLimit.EVENT_NAME, name -> client.raiseEvent("n", name, "")),
        new Taker(TextLimit.QUEUE_NAME, name -> client.enqueue("n", name, "")));
  }

  private static final List<Taker> HANDLES =
      List.of(
          new Taker(
              TextLimit.ORCHESTRATION_NAME,
              name -> Orchestration.of(name, String.class, String.class)),
          new Taker(TextLimit.ACTIVITY_NAME, name -> Activity.of(name, String.class, String.class)),
          new Taker(TextLimit.EVENT_NAME, name -> ExternalEvent.of(name, String.class)),
          new Taker(TextLimit.QUEUE_NAME, name -> EventQueue.of(name, String.class)),
          new Taker(TextLimit.SESSION_ID, id -> ActivityOptions.options().session(id)),
          new Taker(TextLimit.INSTANCE_ID, ChildOptions::instanceId),
          new Taker(TextLimit.NODE_ID, id -> RuntimeOptions.builder().workerNodeId(id)));

  @Test
  @DisplayName("RL-063 each limit: at it accepted, above it refused with the same text")
  void limits() {
    Stream.concat(callsOf(world.client()).stream(), HANDLES.stream())
        .forEach(taker -> {
          String longest = "x".repeat(taker.limit().bytes());
          taker.call().accept(longest);
          refused(taker, longest + "x");
          refused(taker, "");
        });
    assertThatThrownBy(() -> StartOptions.version("1.0.0-" + "x".repeat(59)))
        .hasMessage("version has 65 bytes; at most 64 are allowed");
    assertThat(StartOptions.version("1.0.0-" + "x".repeat(58)).version()).hasSize(64);
  }

  @Test
  @DisplayName("RL-064 half a surrogate pair in an id or name is refused, and nothing is made")
  void halves() {
    Stream.concat(callsOf(world.client()).stream(), HANDLES.stream())
        .forEach(taker -> refused(taker, "half\uD83D"));
    refused(new Taker(TextLimit.TAG, tag -> ActivityOptions.options().tag(tag)), "half\uD83D");

    assertThat(world.store().management().orElseThrow().queueDepths()).isEqualTo(QueueDepths.EMPTY);
  }

  private static void refused(Taker taker, String text) {
    ThrowingCallable call = () -> taker.call().accept(text);
    assertThatThrownBy(call)
        .isInstanceOfAny(ClientException.InvalidInput.class, IllegalArgumentException.class)
        .hasMessage(taker.limit().complaint(text));
  }

  @Test
  @DisplayName("RL-063 RL-064 code that asks for a text beyond its limit fails with that text")
  void inCode() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              refusedInCode(TextLimit.ACTIVITY_NAME, name -> ctx.callActivity(name, ""));
              refusedInCode(TextLimit.EVENT_NAME, ctx::waitForEvent);
              refusedInCode(TextLimit.QUEUE_NAME, ctx::dequeueEvent);
              refusedInCode(
                  TextLimit.ORCHESTRATION_NAME,
                  name -> ctx.callOrchestration(name, "", ChildOptions.defaults()));
              refusedInCode(TextLimit.KEY, key -> ctx.kv().putText(key, ""));
              refusedInCode(TextLimit.KEY, key -> ctx.readKv("other", key));
              refusedInCode(TextLimit.INSTANCE_ID, id -> ctx.readKv(id, "key"));
              return "all refused";
            }));

    world.client().start(FLOW, "flow", "");

    assertThat(world.output("flow")).isEqualTo("all refused");
    assertThat(world.history("flow")).hasSize(2);
  }

  private static void refusedInCode(TextLimit limit, Consumer<String> call) {
    for (String text : List.of("x".repeat(limit.bytes() + 1), "half\uD83D")) {
      assertThatThrownBy(() -> call.accept(text)).hasMessage(limit.complaint(text));
    }
  }

  @Test
  @DisplayName("RL-065 awkward payloads come back equal from everywhere, also from a copy")
  void payloads() {
    world.start(node ->
        node.activity(ECHO, (ctx, in) -> in)
            .orchestration(CHILD, (ctx, in) -> ctx.call(ECHO, in).await())
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  if (ctx.executionId() == 1) {
                    ctx.kv().putText("key", in);
                    ctx.setCustomStatus(in);
                    return ctx.continueAsNew(in);
                  }
                  String event = ctx.waitForEvent("event").await();
                  String message = ctx.dequeueEvent("queue").await();
                  String child = ctx.call(CHILD, event).await();
                  String kept = ctx.kv().getText("key").orElse("lost");
                  return String.join("|", in, event, message, child, kept);
                }));
    Client client = world.client();
    client.start(FLOW, "flow", AWKWARD);
    world.until(() ->
        world.events("flow", io.duroxide.model.EventKind.ExternalSubscribed.class).size() == 1);
    client.raiseEvent("flow", "event", AWKWARD);
    client.enqueue("flow", "queue", AWKWARD);

    String all = String.join("|", AWKWARD, AWKWARD, AWKWARD, AWKWARD, AWKWARD);
    assertThat(world.output("flow")).isEqualTo(all);
    world.stopRuntimes();
    try (MemoryProvider copy = MemoryProvider.create()) {
      StoreCopy.between(world.store(), copy).run(Force.NO);
      for (Client reader : List.of(client, Client.of(copy))) {
        assertThat(reader.kvText("flow", "key")).contains(AWKWARD);
        OrchestrationStatus.Completed ended = (OrchestrationStatus.Completed) reader.status("flow");
        assertThat(ended.output()).isEqualTo(all);
        assertThat(ended.customStatus().status()).isEqualTo(AWKWARD);
      }
      assertThat(copy.read("flow")).isEqualTo(world.history("flow"));
    }
  }

  @Test
  @DisplayName("RL-066 generated children 300 deep run, and no id is longer than 1,024 bytes")
  void deep() {
    world.start(node ->
        node.orchestration(
            DEEP, (ctx, left) -> left == 0 ? 0 : 1 + ctx.call(DEEP, left - 1).await()));

    world.client().start(DEEP, "root", 300);

    assertThat(world.client().waitFor(DEEP, "root", World.PATIENCE)).isEqualTo(300);
    List<String> ids = world.store().management().orElseThrow().listInstances();
    assertThat(ids).hasSize(301).doesNotHaveDuplicates();
    assertThat(ids)
        .allSatisfy(
            id -> assertThat(id.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024));
    assertThat(ids).anyMatch(id -> id.startsWith("sub::#"));
  }

  @Test
  @DisplayName("RL-063 a cancel reason and an error text are cut at 4 KiB")
  void remarks() {
    world.start(node ->
        node.orchestration(
                FLOW,
                (ctx, in) -> {
                  throw new IllegalStateException("x".repeat(10_000));
                })
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(FLOW, "failing", "");
    world.client().start(CHILD, "cancelled", "");
    world.client().cancel("cancelled", "y".repeat(10_000));

    assertThat(world.failure("failing").length()).isLessThan(4_200);
    assertThat(world.failure("failing")).endsWith("x…");
    assertThat(world.failure("cancelled")).isEqualTo("canceled: " + "y".repeat(4_093) + "…");
  }
}
