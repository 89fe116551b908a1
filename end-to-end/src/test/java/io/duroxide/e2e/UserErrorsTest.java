package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DataConverter;
import io.duroxide.api.Orchestration;
import io.duroxide.api.TypeRef;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Subscription;
import io.duroxide.runtime.AutoPruneConfig;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.Health;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Errors of what users give to the library")
class UserErrorsTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);

  private final AtomicInteger thrown = new AtomicInteger();
  private World world;

  @BeforeEach
  void open() {
    world = World.sqlite(Mode.KEPT);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private DuroxideRuntime node(RuntimeOptions.Builder options) {
    return world.start(
        options,
        n ->
            n.activity(WORK, (ctx, in) -> in)
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
  }

  private Error error() {
    thrown.incrementAndGet();
    return new LinkageError("a class of the user is missing");
  }

  @Test
  @DisplayName("RL-019 a listener throws an Error: everything goes on")
  void listener() {
    DuroxideRuntime node =
        node(
            world
                .options()
                .telemetry(event -> {
                  throw error();
                }));
    world.client().start(FLOW, "x", "in");

    assertThat(world.output("x")).isEqualTo("in");
    assertThat(thrown).hasPositiveValue();
    assertThat(node.health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  @DisplayName("RL-019 who watches commits throws an Error: the commit counts, others are told")
  void commitWatcher() {
    AtomicInteger told = new AtomicInteger();
    node(world.options());
    try (Subscription failing =
            world
                .store()
                .localBus()
                .watch(
                    "x",
                    commit -> {
                      throw error();
                    });
        Subscription sound =
            world.store().localBus().watch("x", commit -> told.incrementAndGet())) {
      assertThat(failing).isNotEqualTo(sound);
      world.client().start(FLOW, "x", "in");

      assertThat(world.output("x")).isEqualTo("in");
      world.until(() -> told.get() == 2);
    }
    assertThat(thrown).hasPositiveValue();
  }

  @Test
  @DisplayName("RL-019 the supplier of a configuration throws an Error: the last one counts")
  void supplier() {
    AtomicBoolean broken = new AtomicBoolean();
    DuroxideRuntime node =
        node(
            world
                .options()
                .autoPrune(() -> {
                  if (broken.get()) {
                    throw error();
                  }
                  return AutoPruneConfig.PLAIN;
                }));
    broken.set(true);
    world.client().start(FLOW, "x", "in");

    assertThat(world.output("x")).isEqualTo("in");
    assertThat(node.health().status()).isEqualTo(Health.Status.UP);
  }

  /** Texts as they are, but for one that it cannot bear. */
  private final class Choking implements DataConverter {
    private final DataConverter json = DataConverter.json();

    @Override
    public String encode(Object value) {
      if ("bad".equals(value)) {
        throw error();
      }
      return json.encode(value);
    }

    @Override
    public <T> T decode(String text, TypeRef<T> type) {
      return json.decode(text, type);
    }

    @Override
    public String encodeJson(Object value) {
      return json.encodeJson(value);
    }

    @Override
    public <T> T decodeJson(String text, TypeRef<T> type) {
      return json.decodeJson(text, type);
    }
  }

  @Test
  @DisplayName("RL-019 a converter throws an Error: that call fails, other instances go on")
  void converter() {
    DuroxideRuntime node =
        world.start(
            world.options().converter(new Choking()),
            n ->
                n.activity(WORK, (ctx, in) -> in.equals("\"") ? "bad" : in)
                    .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "bad", "\"");
    world.client().start(FLOW, "good", "in");

    assertThat(world.end("bad"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class,
            failed ->
                assertThat(failed.details().displayMessage()).contains("a class of the user"));
    assertThat(world.output("good")).isEqualTo("in");
    assertThat(node.health().status()).isEqualTo(Health.Status.UP);
  }
}
