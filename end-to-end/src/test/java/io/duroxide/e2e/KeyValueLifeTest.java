package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DataConverter;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.PruneOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class KeyValueLifeTest {
  private static final int KEYS = 150;
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Orchestration<String, String> OTHER =
      Orchestration.of("Other", String.class, String.class);
  private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE);

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

  private void startOne(OrchestrationHandler<String, String> code) {
    world.start(node -> node.activity(ECHO, (ctx, input) -> input).orchestration(MAIN, code));
    world.client().start(MAIN, "k", "1");
  }

  private ProviderAdmin admin() {
    return world.store().management().orElseThrow();
  }

  private static void fill(OrchestrationContext ctx, String prefix, int count) {
    IntStream.range(0, count).forEach(i -> ctx.kv().putText(prefix + i, "v"));
  }

  // Other instances

  /** A source that has the keys of its code, and a reader. */
  private void startReading(
      OrchestrationHandler<String, String> source, OrchestrationHandler<String, String> reader) {
    world.start(node ->
        node.activity(ECHO, (ctx, input) -> input)
            .orchestration(OTHER, source)
            .orchestration(MAIN, reader));
    world.client().start(OTHER, "source", "1");
  }

  @Test
  @DisplayName("E2E-443 E2E-474 OR-096 an orchestration reads a key of one that completed")
  void readOther() {
    startReading(
        (ctx, input) -> {
          ctx.kv().put("answer", 42);
          return "done";
        },
        (ctx, input) -> ctx.readKv("source", "answer").await().orElse("none"));
    assertThat(world.output("source")).isEqualTo("done");
    world.client().start(MAIN, "k", "");

    assertThat(world.output("k")).isEqualTo("42");
  }

  @Test
  @DisplayName("E2E-444 E2E-445 OR-096 a missing key and an unknown instance are none, no failure")
  void readNothing() {
    startReading(
        (ctx, input) -> "done",
        (ctx, input) ->
            ctx.readKv("source", "missing").await().orElse("none")
                + ctx.readKv("unknown", "key").await().orElse("none"));
    assertThat(world.output("source")).isEqualTo("done");
    world.client().start(MAIN, "k", "");

    assertThat(world.output("k")).isEqualTo("nonenone");
  }

  @Test
  @DisplayName("E2E-446 OR-096 a typed read of another instance")
  void readTyped() {
    startReading(
        (ctx, input) -> {
          ctx.kv().put("list", List.of(1, 2, 3));
          return "done";
        },
        (ctx, input) -> {
          String json = ctx.readKv("source", "list").await().orElseThrow();
          List<Integer> list =
              DataConverter.json().decodeJson(json, new TypeRef<List<Integer>>() {});
          return "sum " + list.stream().mapToInt(Integer::intValue).sum();
        });
    assertThat(world.output("source")).isEqualTo("done");
    world.client().start(MAIN, "k", "");

    assertThat(world.output("k")).isEqualTo("sum 6");
  }

  @Test
  @DisplayName("E2E-447 E2E-448 OR-096 what was read stays on replay; a second read sees an update")
  void readTwice() {
    startReading(
        (ctx, input) -> {
          ctx.kv().putText("n", "1");
          ctx.waitForEvent("update").await();
          ctx.kv().putText("n", "2");
          return "done";
        },
        (ctx, input) -> {
          String first = ctx.readKv("source", "n").await().orElse("none");
          ctx.waitForEvent("go").await();
          String second = ctx.readKv("source", "n").await().orElse("none");
          ctx.call(ECHO, "x").await();
          return first + "," + second;
        });
    world.awaitEvent("source", EventKind.ExternalSubscribed.class);
    world.client().start(MAIN, "k", "");
    world.awaitEvent("k", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("source", "update", "");
    assertThat(world.output("source")).isEqualTo("done");
    world.client().raiseEvent("k", "go", "");

    assertThat(world.output("k")).isEqualTo("1,2");
  }

  @Test
  @DisplayName("E2E-449 OR-096 a read of the own instance sees what is committed")
  void readOwn() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "committed");
      ctx.call(ECHO, "x").await();
      DurableFuture<String> read = ctx.readKv("k", "a").map(value -> value.orElse("none"));
      return read.await();
    });

    assertThat(world.output("k")).isEqualTo("committed");
  }

  // Deletion and pruning

  @Test
  @DisplayName("E2E-450 OR-092 values go with their instance")
  void deleted() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "1");
      return ctx.waitForEvent("end").await();
    });
    world.client().start(MAIN, "running", "1");
    world.awaitEvent("k", EventKind.ExternalSubscribed.class);
    world.awaitEvent("running", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("k", "end", "");
    assertThat(world.output("k")).isEmpty();
    assertThat(world.client().kvAll("k")).hasSize(1);

    admin().deleteInstance("k", false);
    admin().deleteInstance("running", true);

    assertThat(world.client().kvText("k", "a")).isEmpty();
    assertThat(world.client().kvAll("k")).isEmpty();
    assertThat(world.client().kvAll("running")).isEmpty();
  }

  @Test
  @DisplayName("E2E-451 OR-092 with a parent the child's values go too")
  void deletedTree() {
    world.start(node ->
        node.orchestration(
                OTHER,
                (ctx, input) -> {
                  ctx.kv().putText("c", "child");
                  return ctx.instanceId();
                })
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  ctx.kv().putText("p", "parent");
                  return ctx.call(OTHER, "").await();
                }));
    world.client().start(MAIN, "k", "");
    String child = world.output("k");
    assertThat(world.client().kvText(child, "c")).contains("child");

    admin().deleteInstance("k", false);

    assertThat(world.client().kvAll("k")).isEmpty();
    assertThat(world.client().kvAll(child)).isEmpty();
  }

  @Test
  @DisplayName("E2E-456 OR-092 pruning old executions keeps all values")
  void pruned() {
    startOne((ctx, input) -> {
      ctx.kv().putText("key" + input, "v");
      return input.equals("3")
          ? "done"
          : ctx.continueAsNew(String.valueOf(Integer.parseInt(input) + 1));
    });
    world.client().start(MAIN, "bulk", "1");
    assertThat(world.output("k")).isEqualTo("done");
    assertThat(world.output("bulk")).isEqualTo("done");

    assertThat(admin().pruneExecutions("k", PruneOptions.keepLast(1)).executionsDeleted())
        .isEqualTo(2);
    InstanceFilter bulk = InstanceFilter.ids(List.of("bulk"));
    assertThat(admin().pruneExecutionsBulk(bulk, PruneOptions.ALL, 10).executionsDeleted())
        .isEqualTo(2);

    assertThat(world.client().kvAll("k")).containsOnlyKeys("key1", "key2", "key3");
    assertThat(world.client().kvAll("bulk")).containsOnlyKeys("key1", "key2", "key3");
  }

  // Limits

  @Test
  @DisplayName("E2E-452 OR-094 one key above the limit fails the orchestration")
  void tooManyKeys() {
    startOne((ctx, input) -> {
      fill(ctx, "k", KEYS + 1);
      return "done";
    });

    assertThat(world.failure("k")).contains("KV key count (151) exceeds limit (150)");
  }

  @Test
  @DisplayName("E2E-452 OR-094 as many keys as the limit are fine, and clear-all makes room again")
  void asManyKeys() {
    startOne((ctx, input) -> {
      fill(ctx, "a", KEYS);
      ctx.call(ECHO, "x").await();
      ctx.kv().clearAll();
      fill(ctx, "b", KEYS);
      return "done";
    });

    assertThat(world.output("k")).isEqualTo("done");
    assertThat(world.client().kvAll("k")).hasSize(KEYS).containsKey("b149");
  }

  @Test
  @DisplayName("E2E-913 OR-094 the limit counts the keys of all turns")
  void tooManyOverTurns() {
    startOne((ctx, input) -> {
      fill(ctx, "a", KEYS / 2 + 1);
      ctx.waitForEvent("go").await();
      fill(ctx, "b", KEYS / 2 + 1);
      return "done";
    });
    world.awaitEvent("k", EventKind.ExternalSubscribed.class);
    assertThat(world.client().kvAll("k")).hasSize(KEYS / 2 + 1);
    world.client().raiseEvent("k", "go", "");

    assertThat(world.failure("k")).contains("KV key count (152) exceeds limit (150)");
  }

  @Test
  @DisplayName("E2E-453 OR-094 a value above 64 KiB fails the orchestration; 64 KiB are fine")
  void longValue() {
    startOne((ctx, input) -> {
      ctx.kv().putText("fits", "x".repeat(65_536));
      ctx.call(ECHO, "x").await();
      ctx.kv().putText("big", "x".repeat(65_537));
      return "done";
    });

    assertThat(world.failure("k"))
        .contains("KV value for key 'big' (65537 bytes) exceeds limit (65536 bytes)");
    assertThat(world.client().kvText("k", "fits"))
        .hasValueSatisfying(v -> assertThat(v).hasSize(65_536));
  }

  // Pruning by age

  @Test
  @DisplayName("E2E-468 OR-098 by age: what is older goes, the cut-off itself stays")
  void byAge() {
    startOne((ctx, input) -> {
      ctx.kv().putText("old", "1");
      ctx.timer(Duration.ofMinutes(1)).await();
      ctx.kv().putText("fresh", "2");
      Instant cutoff = ctx.utcNow();
      ctx.call(ECHO, "x").await();
      int pruned = ctx.kv().pruneUpdatedBefore(cutoff);
      ctx.call(ECHO, "y").await();
      return pruned + " " + ctx.kv().keys();
    });
    world.awaitEvent("k", EventKind.TimerCreated.class);
    world.advance(Duration.ofMinutes(1));

    assertThat(world.output("k")).isEqualTo("1 [fresh]");
    assertThat(world.client().kvAll("k")).containsOnlyKeys("fresh");
  }

  @Test
  @DisplayName("E2E-468 OR-098 cut-off 0 prunes nothing, the greatest all, also of this turn")
  void extremeCutoffs() {
    startOne((ctx, input) -> {
      String seen = "" + ctx.kv().pruneUpdatedBefore(LAST);
      ctx.kv().putText("a", "1");
      ctx.call(ECHO, "x").await();
      ctx.kv().putText("b", "2");
      seen += " " + ctx.kv().pruneUpdatedBefore(Instant.EPOCH);
      seen += " " + ctx.kv().pruneUpdatedBefore(LAST);
      return seen + " " + ctx.kv().size();
    });

    assertThat(world.output("k")).isEqualTo("0 0 2 0");
    assertThat(world.client().kvAll("k")).isEmpty();
    assertThat(world.events("k", EventKind.KeyValueCleared.class))
        .extracting(EventKind.KeyValueCleared::key)
        .containsExactly("a", "b");
  }

  @Test
  @DisplayName("E2E-468 OR-098 a cut-off after now prunes what this turn set")
  void sameTurn() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "1");
      return "pruned " + ctx.kv().pruneUpdatedBefore(ctx.utcNow().plusMillis(1));
    });

    assertThat(world.output("k")).isEqualTo("pruned 1");
    assertThat(world.client().kvAll("k")).isEmpty();
  }

  @Test
  @DisplayName("E2E-468 OR-098 by age over executions")
  void byAgeOverExecutions() {
    startOne((ctx, input) -> {
      ctx.kv().putText("key" + input, "v");
      if (input.equals("3")) {
        return "pruned " + ctx.kv().pruneUpdatedBefore(ctx.utcNow().minusSeconds(10));
      }
      ctx.timer(Duration.ofSeconds(10)).await();
      return ctx.continueAsNew(String.valueOf(Integer.parseInt(input) + 1));
    });
    for (int execution = 1; execution <= 2; execution++) {
      int current = execution;
      world.until(() ->
          world.history("k", current).stream()
              .anyMatch(event -> event.kind() instanceof EventKind.TimerCreated));
      world.advance(Duration.ofSeconds(10));
    }

    assertThat(world.output("k")).isEqualTo("pruned 1");
    assertThat(world.client().kvAll("k")).containsOnlyKeys("key2", "key3");
  }

  // Load

  @Test
  @DisplayName("E2E-472 E2E-843 OR-097 ten writers with many keys, ten readers of one of them")
  void stress() {
    world.start(node ->
        node.activity(ECHO, (ctx, input) -> input)
            .orchestration(
                OTHER,
                (ctx, input) -> {
                  for (int round = 0; round < 5; round++) {
                    for (int i = 0; i < 20; i++) {
                      ctx.kv().put("r" + round + "-" + i, round * i);
                    }
                    ctx.call(ECHO, "x").await();
                  }
                  return "" + ctx.kv().size();
                })
            .orchestration(MAIN, (ctx, input) -> ctx.readKv("w0", "r4-19").await().orElse("none")));
    Client client = world.client();
    IntStream.range(0, 10).forEach(i -> client.start(OTHER, "w" + i, ""));
    for (int i = 0; i < 10; i++) {
      assertThat(world.output("w" + i)).isEqualTo("100");
      assertThat(client.kvAll("w" + i)).hasSize(100);
    }

    IntStream.range(0, 10).forEach(i -> client.start(MAIN, "r" + i, ""));
    for (int i = 0; i < 10; i++) {
      assertThat(world.output("r" + i)).isEqualTo("76");
    }
  }

  @Test
  @DisplayName("E2E-472 E2E-843 OR-097 fifty executions that each write")
  void manyExecutions() {
    startOne((ctx, input) -> {
      int execution = Integer.parseInt(input);
      ctx.kv().put("last", execution);
      ctx.kv().put("key" + execution % 10, execution);
      return execution == 50 ? "done" : ctx.continueAsNew(execution + 1);
    });

    assertThat(world.output("k")).isEqualTo("done");
    Map<String, String> all = world.client().kvAll("k");
    assertThat(all).hasSize(11).containsEntry("last", "50").containsEntry("key1", "41");
  }
}
