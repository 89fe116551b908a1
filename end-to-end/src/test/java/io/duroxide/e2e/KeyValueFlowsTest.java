package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Choice;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.TypeRef;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
class KeyValueFlowsTest {
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Duration MINUTE = Duration.ofMinutes(1);

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

  private String read(String key) {
    return world.client().kvText("k", key).orElse("none");
  }

  @Test
  @DisplayName("E2E-430 E2E-431 OR-092 OR-095 a client reads what was set and nothing else")
  void set() {
    startOne((ctx, input) -> {
      ctx.kv().putText("key", "value");
      return "done";
    });

    assertThat(world.output("k")).isEqualTo("done");
    assertThat(read("key")).isEqualTo("value");
    assertThat(read("other")).isEqualTo("none");
    assertThat(world.client().kvText("nobody", "key")).isEmpty();
    assertThat(world.client().kvAll("nobody")).isEmpty();
  }

  @Test
  @DisplayName("E2E-432 E2E-433 OR-092 several keys in one turn; of two sets the last counts")
  void several() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "first");
      ctx.kv().putText("a", "1");
      ctx.kv().putText("b", "2");
      ctx.kv().putText("c", "3");
      return "done";
    });

    assertThat(world.output("k")).isEqualTo("done");
    assertThat(world.client().kvAll("k")).isEqualTo(Map.of("a", "1", "b", "2", "c", "3"));
    assertThat(read("a")).isEqualTo("1");
  }

  @Test
  @DisplayName("E2E-434 E2E-435 OR-092 cleared keys are gone, one by one and all together")
  void cleared() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "1");
      ctx.kv().clear("a");
      ctx.waitForEvent("go").await();
      ctx.kv().putText("b", "2");
      ctx.kv().putText("c", "3");
      ctx.kv().clearAll();
      return "done";
    });
    world.awaitEvent("k", EventKind.ExternalSubscribed.class);
    assertThat(read("a")).isEqualTo("none");
    world.client().raiseEvent("k", "go", "");

    assertThat(world.output("k")).isEqualTo("done");
    assertThat(world.client().kvAll("k")).isEmpty();
  }

  @Test
  @DisplayName("E2E-436 OR-092 the next turn reads the first value, the client the last")
  void nextTurn() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "first");
      ctx.call(ECHO, "x").await();
      String seen = ctx.kv().getText("a").orElse("none");
      ctx.kv().putText("a", "last");
      return seen;
    });

    assertThat(world.output("k")).isEqualTo("first");
    assertThat(read("a")).isEqualTo("last");
  }

  record Point(int x, List<String> names) {}

  @Test
  @DisplayName("E2E-437 OR-092 a typed value is the same for the code and for the client")
  void typed() {
    Point point = new Point(7, List.of("a", "b"));
    startOne((ctx, input) -> {
      ctx.kv().put("p", point);
      ctx.call(ECHO, "x").await();
      return String.valueOf(ctx.kv().get("p", Point.class).orElseThrow().equals(point));
    });

    assertThat(world.output("k")).isEqualTo("true");
    assertThat(world.client().kv("k", "p", Point.class)).contains(point);
  }

  @Test
  @DisplayName("E2E-438 OR-092 read before set, after set and after clear")
  void ownReads() {
    startOne((ctx, input) -> {
      String seen = ctx.kv().getText("a").orElse("none");
      ctx.kv().putText("a", "value");
      seen += "," + ctx.kv().getText("a").orElse("none");
      ctx.kv().clear("a");
      return seen + "," + ctx.kv().getText("a").orElse("none");
    });

    assertThat(world.output("k")).isEqualTo("none,value,none");
  }

  @Test
  @DisplayName("E2E-439 E2E-440 OR-093 values survive continue-as-new and are overwritten there")
  void continued() {
    startOne((ctx, input) -> {
      if (input.equals("1")) {
        ctx.kv().putText("kept", "one");
        ctx.kv().putText("changed", "one");
        return ctx.continueAsNew("2");
      }
      String seen = ctx.kv().all().toString();
      ctx.kv().putText("changed", "two");
      return seen;
    });

    assertThat(world.output("k")).isEqualTo("{changed=one, kept=one}");
    assertThat(world.client().kvAll("k")).isEqualTo(Map.of("changed", "two", "kept", "one"));
  }

  @Test
  @DisplayName("E2E-441 E2E-470 OR-093 keys of an earlier execution are cleared in a later one")
  void clearedLater() {
    startOne((ctx, input) -> {
      if (input.equals("1")) {
        ctx.kv().putText("a", "1");
        ctx.kv().putText("b", "2");
        return ctx.continueAsNew("2");
      }
      ctx.kv().clear("a");
      ctx.call(ECHO, "x").await();
      String seen = ctx.kv().keys().toString();
      ctx.kv().clear("b");
      return seen;
    });

    assertThat(world.output("k")).isEqualTo("[b]");
    assertThat(read("a")).isEqualTo("none");
    assertThat(world.client().kvAll("k")).isEmpty();
  }

  @Test
  @DisplayName("E2E-442 OR-093 a chain of executions adds up a key")
  void chain() {
    startOne((ctx, input) -> {
      int sum = ctx.kv().get("sum", Integer.class).orElse(0) + Integer.parseInt(input);
      ctx.kv().put("sum", sum);
      return input.equals("5")
          ? "sum " + sum
          : ctx.continueAsNew(String.valueOf(Integer.parseInt(input) + 1));
    });

    assertThat(world.output("k")).isEqualTo("sum 15");
    assertThat(world.client().kv("k", "sum", Integer.class)).contains(15);
  }

  @Test
  @DisplayName("E2E-454 OR-097 of a race only the winner's value is there")
  void race() {
    startOne((ctx, input) -> {
      DurableFuture<String> slow =
          ctx.async(branch -> {
            ctx.timer(MINUTE).await();
            ctx.kv().putText("slow", "1");
            return "slow";
          });
      DurableFuture<String> quick =
          ctx.async(branch -> {
            ctx.call(ECHO, "x").await();
            ctx.kv().putText("quick", "1");
            return "quick";
          });
      return ctx.select(slow, quick) instanceof Choice.Second<String, String> won
          ? won.value()
          : "wrong";
    });

    assertThat(world.output("k")).isEqualTo("quick");
    world.advance(MINUTE);
    assertThat(world.client().kvAll("k")).isEqualTo(Map.of("quick", "1"));
  }

  @Test
  @DisplayName("E2E-455 OR-092 values are readable after a failure")
  void afterFailure() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "kept");
      ctx.call(ECHO, "x").await();
      ctx.kv().putText("b", "with the failing turn");
      throw new OrchestrationFailure("failed");
    });

    assertThat(world.failure("k")).contains("failed");
    assertThat(read("a")).isEqualTo("kept");
    assertThat(read("b")).isEqualTo("with the failing turn");
  }

  @Test
  @DisplayName("E2E-457 OR-092 each of three turns reads what the one before wrote")
  void everyTurn() {
    startOne((ctx, input) -> {
      String seen = "";
      for (int turn = 1; turn <= 3; turn++) {
        seen += ctx.kv().getText("a").orElse("-");
        ctx.kv().putText("a", "" + turn);
        ctx.call(ECHO, "x").await();
      }
      return seen;
    });

    assertThat(world.output("k")).isEqualTo("-12");
    assertThat(read("a")).isEqualTo("3");
  }

  @Test
  @DisplayName("E2E-458 E2E-470 OR-092 cleared and set again, in one turn and in a later one")
  void setAgain() {
    startOne((ctx, input) -> {
      ctx.kv().putText("same", "old");
      ctx.kv().clear("same");
      ctx.kv().putText("same", "new");
      ctx.kv().putText("later", "old");
      ctx.kv().putText("gone", "old");
      ctx.call(ECHO, "x").await();
      ctx.kv().clear("later");
      ctx.call(ECHO, "y").await();
      ctx.kv().putText("later", "new");
      String seen = ctx.kv().all().toString();
      ctx.kv().clearAll();
      ctx.call(ECHO, "z").await();
      ctx.kv().putText("same", "newest");
      return seen;
    });

    assertThat(world.output("k")).isEqualTo("{gone=old, later=new, same=new}");
    assertThat(world.client().kvAll("k")).isEqualTo(Map.of("same", "newest"));
  }

  @Test
  @DisplayName("E2E-459 OR-095 a client reads and waits for values while the code runs")
  void whileRunning() {
    startOne((ctx, input) -> {
      ctx.kv().putText("a", "early");
      ctx.waitForEvent("go").await();
      ctx.kv().put("answer", 42);
      return ctx.waitForEvent("end").await();
    });
    world.awaitEvent("k", EventKind.ExternalSubscribed.class);
    assertThat(read("a")).isEqualTo("early");
    world.client().raiseEvent("k", "go", "");

    assertThat(world.client().waitForKv("k", "answer", Integer.class, World.PATIENCE))
        .isEqualTo(42);
    assertThat(world.client().status("k").isTerminal()).isFalse();
    world.until(() -> world.events("k", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("k", "end", "over");
    assertThat(world.output("k")).isEqualTo("over");
  }

  @Test
  @DisplayName("E2E-460 OR-097 parent and child have stores of their own")
  void isolated() {
    Orchestration<String, String> child = Orchestration.of("Child", String.class, String.class);
    world.start(node ->
        node.orchestration(
                child,
                (ctx, input) -> {
                  String seen = ctx.kv().getText("a").orElse("none");
                  ctx.kv().putText("a", "child");
                  return seen;
                })
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  ctx.kv().putText("a", "parent");
                  return ctx.call(child, "").await() + "," + ctx.kv().getText("a").orElse("none");
                }));
    world.client().start(MAIN, "k", "1");

    assertThat(world.output("k")).isEqualTo("none,parent");
    assertThat(read("a")).isEqualTo("parent");
    String childId = world.store().management().orElseThrow().listChildren("k").getFirst();
    assertThat(world.client().kvText(childId, "a")).contains("child");
  }

  @Test
  @DisplayName("E2E-461 OR-097 sets between activities and timers")
  void interleaved() {
    startOne((ctx, input) -> {
      for (int i = 1; i <= 3; i++) {
        ctx.kv().put("a", i);
        ctx.call(ECHO, "x").await();
        ctx.kv().put("a", i * 10);
        ctx.timer(Duration.ofSeconds(1)).await();
      }
      return ctx.kv().getText("a").orElse("none");
    });
    for (int i = 1; i <= 3; i++) {
      int timers = i;
      world.until(() -> world.events("k", EventKind.TimerCreated.class).size() == timers);
      world.advance(Duration.ofSeconds(1));
    }

    assertThat(world.output("k")).isEqualTo("30");
    assertThat(read("a")).isEqualTo("30");
  }

  @Test
  @DisplayName("E2E-462 OR-097 a key for each result of a fan-out")
  void fanOut() {
    startOne((ctx, input) -> {
      List<DurableFuture<String>> all = new ArrayList<>();
      IntStream.range(0, 10).forEach(i -> all.add(ctx.call(ECHO, "r" + i)));
      List<String> results = ctx.all(all);
      IntStream.range(0, 10).forEach(i -> ctx.kv().putText("key" + i, results.get(i)));
      return "done";
    });
    Map<String, String> expected = new TreeMap<>();
    IntStream.range(0, 10).forEach(i -> expected.put("key" + i, "r" + i));

    assertThat(world.output("k")).isEqualTo("done");
    assertThat(world.client().kvAll("k")).isEqualTo(expected);
  }

  @Test
  @DisplayName("E2E-463 E2E-464 OR-092 RL-063 JSON text stays as it is; a key may be blank")
  void oddTexts() {
    String json = "{ \"a\" : [1,  2], \"ü\":\"\\u0000\" }";
    startOne((ctx, input) -> {
      ctx.kv().putText("json", json);
      ctx.kv().putText(" ", "nameless");
      ctx.call(ECHO, "x").await();
      return ctx.kv().getText("json").orElse("") + ctx.kv().getText(" ").orElse("");
    });

    assertThat(world.output("k")).isEqualTo(json + "nameless");
    assertThat(read("json")).isEqualTo(json);
    assertThat(read(" ")).isEqualTo("nameless");
  }

  @Test
  @DisplayName("E2E-465 OR-092 a typed read of another type is an error the code can catch")
  void wrongType() {
    startOne((ctx, input) -> {
      ctx.kv().put("a", "text");
      try {
        return "read " + ctx.kv().get("a", Integer.class);
      } catch (DataConversionException e) {
        return "caught " + e.getMessage();
      }
    });

    assertThat(world.output("k")).startsWith("caught KV key 'a'");
  }

  @Test
  @DisplayName("E2E-466 one slot of each kind, with continue-as-new")
  void singleThreaded() {
    world.start(
        world.options().orchestrationConcurrency(1).workerConcurrency(1),
        node ->
            node.activity(ECHO, (ctx, input) -> input)
                .orchestration(
                    MAIN,
                    (ctx, input) -> {
                      ctx.kv().putText(input, ctx.call(ECHO, "v" + input).await());
                      return input.equals("2") ? ctx.kv().all().toString() : ctx.continueAsNew("2");
                    }));
    world.client().start(MAIN, "k", "1");

    assertThat(world.output("k")).isEqualTo("{1=v1, 2=v2}");
  }

  @Test
  @DisplayName("E2E-467 OR-095 a client reads all: none, some, overwritten, cleared, continued")
  void readAll() {
    startOne((ctx, input) -> {
      if (input.equals("1")) {
        ctx.waitForEvent("a").await();
        ctx.kv().putText("x", "1");
        ctx.kv().putText("y", "1");
        ctx.waitForEvent("b").await();
        ctx.kv().putText("x", "2");
        ctx.kv().clear("y");
        ctx.waitForEvent("c").await();
        return ctx.continueAsNew("2");
      }
      ctx.kv().putText("z", "3");
      return "done";
    });
    step(1, "a", Map.of());
    step(2, "b", Map.of("x", "1", "y", "1"));
    step(3, "c", Map.of("x", "2"));

    assertThat(world.output("k")).isEqualTo("done");
    assertThat(world.client().kvAll("k")).isEqualTo(Map.of("x", "2", "z", "3"));
  }

  private void step(int waits, String event, Map<String, String> expected) {
    world.until(() -> world.events("k", EventKind.ExternalSubscribed.class).size() == waits);
    assertThat(world.client().kvAll("k")).isEqualTo(expected);
    world.client().raiseEvent("k", event, "");
  }

  @Test
  @DisplayName("E2E-469 OR-093 read-modify-write with an activity each time, also continued")
  void counter() {
    startOne((ctx, input) -> {
      int rounds = input.equals("1") ? 5 : 3;
      for (int i = 0; i < rounds; i++) {
        int count = ctx.kv().get("n", Integer.class).orElse(0);
        ctx.call(ECHO, "n" + count).await();
        ctx.kv().put("n", count + 1);
      }
      String seen = ctx.kv().getText("n").orElse("none");
      return input.equals("1") ? ctx.continueAsNew("after " + seen) : input + ": " + seen;
    });

    assertThat(world.output("k")).isEqualTo("after 5: 8");
    assertThat(world.client().kv("k", "n", Integer.class)).contains(8);
  }

  @Test
  @DisplayName("E2E-469 OR-093 a counter over two turns")
  void counterOverTurns() {
    startOne((ctx, input) -> {
      ctx.kv().put("n", ctx.kv().get("n", Integer.class).orElse(0) + 1);
      ctx.call(ECHO, "x").await();
      ctx.kv().put("n", ctx.kv().get("n", Integer.class).orElse(0) + 1);
      ctx.call(ECHO, "y").await();
      return ctx.kv().getText("n").orElse("none");
    });

    assertThat(world.output("k")).isEqualTo("2");
  }

  record Request(String id, int number) {}

  @Test
  @DisplayName("E2E-471 OR-097 a server answers three requests through its keys")
  void server() {
    EventQueue<Request> requests = EventQueue.of("requests", Request.class);
    startOne((ctx, input) -> {
      for (int served = 0; served < 3; served++) {
        Request request = ctx.dequeue(requests).await();
        String text = ctx.call(ECHO, String.valueOf(request.number() * 2)).await();
        ctx.kv().put("answer-" + request.id(), Integer.parseInt(text));
      }
      return "served " + ctx.kv().size();
    });
    world.awaitEvent("k", EventKind.QueueSubscribed.class);
    for (int i = 1; i <= 3; i++) {
      world.client().enqueue("k", requests, new Request("r" + i, i));
      assertThat(world.client().waitForKv("k", "answer-r" + i, Integer.class, World.PATIENCE))
          .isEqualTo(i * 2);
    }

    assertThat(world.output("k")).isEqualTo("served 3");
    assertThat(world.client().kv("k", "answer-r1", Integer.class)).contains(2);
  }

  @Test
  @DisplayName("E2E-437 OR-092 a typed list in the code")
  void typedList() {
    startOne((ctx, input) -> {
      ctx.kv().put("list", List.of(1, 2, 3));
      return ctx.kv().get("list", new TypeRef<List<Integer>>() {}).toString();
    });

    assertThat(world.output("k")).isEqualTo("Optional[[1, 2, 3]]");
  }
}
