package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.provider.Provider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Starts whose id must be new, and starts of ids that have ended. */
class NewStartsTest {
  private static final Orchestration<String, String> ECHO =
      Orchestration.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final StartOptions MUST_BE_NEW =
      StartOptions.defaults().withReuse(StartOptions.Reuse.REJECT);

  @TempDir private Path folder;

  @Test
  @DisplayName("RL-051 SQLite: of 16 threads in two processes one is accepted for each of 200 ids")
  void sqlite() throws Exception {
    String file = folder.resolve("store.db").toString();
    try (Provider store = SqliteProvider.open(Path.of(file))) {
      oneIsAccepted(store, file, "");
    }
  }

  @Test
  @DisplayName(
      "RL-051 PostgreSQL: of 16 threads in two processes one is accepted for each of 200 ids")
  void postgres() throws Exception {
    String schema = PostgresServer.takeSchema();
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(schema);
    try (Provider store = PostgresProvider.open(PostgresServer.url(schema), options)) {
      oneIsAccepted(store, PostgresServer.url(schema), schema);
    }
    PostgresServer.giveBack(schema);
  }

  private static void oneIsAccepted(Provider store, String address, String schema)
      throws InterruptedException, ExecutionException {
    List<NewStartCaller.Accepted> accepted;
    try (NewStartCaller.Handle other = new NewStartCaller.Handle(address, schema, "other")) {
      other.begin();
      accepted = new ArrayList<>(NewStartCaller.callAll(store, "own"));
      accepted.addAll(other.accepted());
    }
    assertThat(accepted)
        .extracting(NewStartCaller.Accepted::instance)
        .doesNotHaveDuplicates()
        .hasSize(NewStartCaller.IDS);

    DuroxideRuntime.Builder node = DuroxideRuntime.builder(store);
    node.orchestration(ECHO, (ctx, input) -> input);
    DuroxideRuntime runtime = node.start();
    try {
      for (NewStartCaller.Accepted one : accepted) {
        assertThat(Client.of(store).waitFor(ECHO, one.instance(), World.PATIENCE))
            .isEqualTo(one.input());
      }
    } finally {
      runtime.close();
    }
  }

  @ParameterizedTest(name = "RL-051 {0}: an accepted start is the one that runs, beside others")
  @EnumSource(Mode.class)
  void besideOrdinaryStarts(Mode mode) throws Exception {
    try (World world = World.open(mode);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      world.start(node -> node.orchestration(ECHO, (ctx, input) -> input));
      for (int round = 0; round < 50; round++) {
        String id = "id-" + round;
        CyclicBarrier together = new CyclicBarrier(4);
        List<Future<Boolean>> calls = new ArrayList<>();
        for (int caller = 0; caller < 4; caller++) {
          boolean mustBeNew = caller % 2 == 0;
          String input = (mustBeNew ? "new-" : "any-") + caller;
          calls.add(
              threads.submit(() -> {
                together.await();
                return isAccepted(world.client(), id, input, mustBeNew);
              }));
        }
        List<String> accepted = new ArrayList<>();
        for (int caller = 0; caller < 4; caller += 2) {
          if (calls.get(caller).get()) {
            accepted.add("new-" + caller);
          }
        }
        calls.get(1).get();
        calls.get(3).get();
        String ran = world.output(id);
        if (accepted.isEmpty()) {
          assertThat(ran).startsWith("any-");
        } else {
          assertThat(accepted).containsExactly(ran);
        }
      }
    }
  }

  private static boolean isAccepted(Client client, String id, String input, boolean mustBeNew) {
    try {
      client.start(ECHO, id, input, mustBeNew ? MUST_BE_NEW : StartOptions.defaults());
      return true;
    } catch (ClientException.InstanceExists taken) {
      return false;
    }
  }

  @ParameterizedTest(name = "RL-052 {0}: a queued, a delayed and a running start refuse")
  @EnumSource(Mode.class)
  void refused(Mode mode) {
    try (World world = World.open(mode)) {
      world.client().start(FLOW, "queued", "first");
      refuses(world, "queued");
      world.client().start(FLOW, "delayed", "first", StartOptions.delayed(Duration.ofHours(1)));
      refuses(world, "delayed");
      world.client().start(FLOW, "late", "first", MUST_BE_NEW.withDelay(Duration.ofHours(1)));
      refuses(world, "late");

      world.start(node ->
          node.orchestration(FLOW, (ctx, input) -> input + " " + ctx.waitForEvent("go").await()));
      world.awaitEvent("queued", EventKind.ExternalSubscribed.class);
      refuses(world, "queued");
      world.client().raiseEvent("queued", "go", "on");
      assertThat(world.output("queued")).isEqualTo("first on");
      refuses(world, "queued");

      world.advance(Duration.ofHours(2));
      for (String id : List.of("delayed", "late")) {
        world.awaitEvent(id, EventKind.ExternalSubscribed.class);
        world.client().raiseEvent(id, "go", "on");
        assertThat(world.output(id)).isEqualTo("first on");
      }
    }
  }

  private static void refuses(World world, String id) {
    assertThatThrownBy(() -> world.client().start(FLOW, id, "second", MUST_BE_NEW))
        .isInstanceOf(ClientException.InstanceExists.class)
        .hasMessage("instance '" + id + "' exists already; choose another id");
  }

  @ParameterizedTest(
      name = "EN-087 {0}: of twenty clients that restart an ended instance none is refused")
  @EnumSource(Mode.class)
  void restarts(Mode mode) throws Exception {
    try (World world = World.open(mode);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      world.start(node ->
          node.orchestration(FLOW, (ctx, input) -> input + " " + ctx.waitForEvent("go").await()));
      StartOptions restart =
          StartOptions.defaults().withReuse(StartOptions.Reuse.RESTART_IF_TERMINAL);
      for (int round = 0; round < 10; round++) {
        String id = "flow-" + round;
        world.client().start(FLOW, id, "first");
        world.awaitEvent(id, EventKind.ExternalSubscribed.class);
        world.client().raiseEvent(id, "go", "on");
        assertThat(world.output(id)).isEqualTo("first on");

        CyclicBarrier together = new CyclicBarrier(20);
        List<Future<?>> calls = new ArrayList<>();
        for (int caller = 0; caller < 20; caller++) {
          String input = "again-" + caller;
          calls.add(
              threads.submit(() -> {
                together.await();
                world.client().start(FLOW, id, input, restart);
                return true;
              }));
        }
        for (Future<?> call : calls) {
          call.get();
        }
        world.until(() -> world.client().status(id) instanceof OrchestrationStatus.Running);
        world.awaitEvent(id, EventKind.ExternalSubscribed.class);
        world.client().raiseEvent(id, "go", "once more");
        assertThat(world.output(id)).startsWith("again-").endsWith(" once more");
      }
    }
  }
}
