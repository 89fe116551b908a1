package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.Provider;
import io.duroxide.provider.QueueDepths;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** RACE: orchestrations of every shape on nodes that lose locks, answers and their lives. */
@Needs.Node
public abstract class RandomMixTck extends RuntimeSteps {
  private static final int INSTANCES = 48;
  private static final int RESTARTS = 4;
  private static final int MAX_SIZE = 4;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final String MAILBOX = "mailbox";
  private static final Activity<Integer, Integer> ADD_ONE =
      Activity.of("AddOne", Integer.class, Integer.class);

  /** For subclasses. */
  protected RandomMixTck() {}

  /** What an orchestration does; each of them turns a number into that number plus its size. */
  private enum Shape {
    CHAIN {
      @Override
      int run(OrchestrationContext ctx, int size) {
        int sum = 0;
        for (int i = 0; i < size; i++) {
          sum = ctx.call(ADD_ONE, sum).await();
        }
        return sum;
      }
    },
    FAN_OUT {
      @Override
      int run(OrchestrationContext ctx, int size) {
        return ctx
            .all(IntStream.range(0, size).mapToObj(i -> ctx.call(ADD_ONE, 0)).toList())
            .stream()
            .mapToInt(Integer::intValue)
            .sum();
      }
    },
    SLEEP {
      @Override
      int run(OrchestrationContext ctx, int size) {
        for (int i = 0; i < size; i++) {
          ctx.timer(PAUSE).await();
        }
        return CHAIN.run(ctx, size);
      }
    },
    MAIL {
      @Override
      int run(OrchestrationContext ctx, int size) {
        int sum = 0;
        for (int i = 0; i < size; i++) {
          sum += Integer.parseInt(ctx.dequeueEvent(MAILBOX).await());
        }
        return sum;
      }
    },
    FAMILY {
      @Override
      int run(OrchestrationContext ctx, int size) {
        return ctx
            .all(IntStream.range(0, size).mapToObj(i -> ctx.call(CHAIN.handle(), 1)).toList())
            .stream()
            .mapToInt(Integer::intValue)
            .sum();
      }
    },
    LOOP {
      @Override
      int run(OrchestrationContext ctx, int size) {
        ctx.call(ADD_ONE, 0).await();
        if (ctx.executionId() < size) {
          ctx.continueAsNew(size);
        }
        return (int) ctx.executionId();
      }
    };

    abstract int run(OrchestrationContext ctx, int size);

    Orchestration<Integer, Integer> handle() {
      return Orchestration.of(name(), Integer.class, Integer.class);
    }

    OrchestrationHandler<Integer, Integer> handler() {
      return this::run;
    }
  }

  @Test
  @DisplayName("TCK-RACE-10 lost locks, lost answers and restarts change no result")
  void randomMix() {
    long seed = fixture().seed();
    report("seed", Long.toString(seed));
    SplittableRandom random = new SplittableRandom(seed);
    Provider unreliable = Unreliable.on(provider, random.nextLong());
    Map<String, Integer> expected = startAll(random);

    for (int restart = 1; restart <= RESTARTS; restart++) {
      DuroxideRuntime node = unreliableNode(unreliable);
      int done = expected.size() * restart / (2 * RESTARTS);
      until(
          done + " instances have ended",
          () -> {
            advance(PAUSE);
            return ended(expected) >= done;
          });
      stop(node);
    }
    unreliableNode(unreliable);
    until(
        "all instances have ended",
        () -> {
          advance(PAUSE);
          return ended(expected) == expected.size();
        });

    expected.forEach((x, result) -> {
      assertThat(output(x)).as(x).isEqualTo(result.toString());
      recordedOnce(x);
    });
    nothingIsLeft();
  }

  private Map<String, Integer> startAll(SplittableRandom random) {
    Map<String, Integer> expected = new LinkedHashMap<>();
    for (int i = 0; i < INSTANCES; i++) {
      Shape shape = Shape.values()[i % Shape.values().length];
      int size = 1 + random.nextInt(MAX_SIZE);
      String x = shape + "-" + i;
      client().start(shape.handle(), x, size);
      for (int message = 0; shape == Shape.MAIL && message < size; message++) {
        client().enqueue(x, MAILBOX, "1");
      }
      expected.put(x, size);
    }
    return expected;
  }

  /** Locks end at any time here, so attempts say nothing about the work. */
  private DuroxideRuntime unreliableNode(Provider unreliable) {
    return node(
        unreliable,
        options().maxAttempts(Integer.MAX_VALUE),
        node -> {
          node.activity(ADD_ONE, (ctx, number) -> number + 1);
          for (Shape shape : Shape.values()) {
            node.orchestration(shape.handle(), shape.handler());
          }
        });
  }

  private long ended(Map<String, Integer> instances) {
    return instances.keySet().stream().filter(x -> client().status(x).isTerminal()).count();
  }

  /** No schedule has two completions, and there is one end. */
  private void recordedOnce(String instance) {
    List<Event> history = provider.read(instance);
    Map<Long, Long> completions =
        history.stream()
            .filter(event -> event.kind() instanceof EventKind.Completion)
            .collect(Collectors.groupingBy(Event::source, Collectors.counting()));
    assertThat(completions.values()).as(instance).allMatch(count -> count == 1);
    assertThat(kinds(history, EventKind.Terminal.class)).as(instance).hasSize(1);
  }

  private void nothingIsLeft() {
    provider
        .management()
        .ifPresent(admin ->
            until(
                "the queues are empty",
                () -> {
                  QueueDepths depths = admin.queueDepths();
                  return depths.orchestrator().ready()
                          + depths.orchestrator().locked()
                          + depths.worker().ready()
                          + depths.worker().locked()
                      == 0;
                }));
  }
}
