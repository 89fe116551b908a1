package io.duroxide.e2e;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Orchestrations of every shape that need nobody but their nodes. Each takes a size from 1 to 4 and
 * gives a number that depends on nothing else.
 */
enum MixedWork {
  /** One activity after the other. */
  CHAIN {
    @Override
    int run(OrchestrationContext ctx, int size) {
      int sum = 0;
      for (int i = 0; i < 2 * size; i++) {
        sum = ctx.call(ADD_ONE, sum).await();
      }
      return sum;
    }

    @Override
    int result(int size) {
      return 2 * size;
    }
  },
  /** Many activities at a time. */
  FAN_OUT {
    @Override
    int run(OrchestrationContext ctx, int size) {
      return sum(
          ctx.all(IntStream.range(0, 3 * size).mapToObj(i -> ctx.call(ADD_ONE, i)).toList()));
    }

    @Override
    int result(int size) {
      return IntStream.rangeClosed(1, 3 * size).sum();
    }
  },
  /** Timers, one of which loses a race. */
  TIMERS {
    @Override
    int run(OrchestrationContext ctx, int size) {
      int won = 0;
      for (int i = 0; i < size; i++) {
        ctx.timer(Duration.ofMillis(50)).await();
        won += 1 - ctx.select(List.of(ctx.call(ADD_ONE, 0), ctx.timer(ONE_HOUR))).index();
      }
      return won;
    }

    @Override
    int result(int size) {
      return size;
    }
  },
  /** Events that an activity raises, perhaps more than once. */
  EVENTS {
    @Override
    int run(OrchestrationContext ctx, int size) {
      int sum = 0;
      for (int i = 0; i < size; i++) {
        var event = ctx.waitForEvent("event-" + i);
        ctx.call(RAISE, ctx.instanceId() + " " + i).await();
        sum += Integer.parseInt(event.await());
      }
      return sum;
    }

    @Override
    int result(int size) {
      return IntStream.range(0, size).sum();
    }
  },
  /** A mailbox that is filled from the start. */
  MAIL {
    @Override
    int run(OrchestrationContext ctx, int size) {
      int number = 0;
      for (int i = 0; i < size; i++) {
        number = 10 * number + ctx.dequeue(MAILBOX).await();
      }
      return number;
    }

    @Override
    int result(int size) {
      return IntStream.range(0, size).reduce(0, (number, digit) -> 10 * number + digit);
    }

    @Override
    void start(Client client, String instance, int size) {
      client.startAndEnqueue(
          handle(), instance, size, MAILBOX, IntStream.range(0, size).boxed().toList());
    }
  },
  /** Children of which each runs a chain. */
  CHILDREN {
    @Override
    int run(OrchestrationContext ctx, int size) {
      return sum(
          ctx.all(IntStream.range(0, size).mapToObj(i -> ctx.call(CHAIN.handle(), 1)).toList()));
    }

    @Override
    int result(int size) {
      return 2 * size;
    }
  },
  /** Executions that continue as new. */
  LOOP {
    @Override
    int run(OrchestrationContext ctx, int size) {
      ctx.call(ADD_ONE, 0).await();
      if (ctx.executionId() <= size) {
        ctx.continueAsNew(size);
      }
      return (int) ctx.executionId();
    }

    @Override
    int result(int size) {
      return size + 1;
    }
  };

  private static final int SIZES = 4;
  private static final Duration ONE_HOUR = Duration.ofHours(1);
  private static final EventQueue<Integer> MAILBOX = EventQueue.of("mailbox", Integer.class);
  private static final Activity<Integer, Integer> ADD_ONE =
      Activity.of("AddOne", Integer.class, Integer.class);
  private static final Activity<String, String> RAISE =
      Activity.of("Raise", String.class, String.class);

  abstract int run(OrchestrationContext ctx, int size);

  abstract int result(int size);

  final Orchestration<Integer, Integer> handle() {
    return Orchestration.of(name(), Integer.class, Integer.class);
  }

  void start(Client client, String instance, int size) {
    client.start(handle(), instance, size);
  }

  private static int sum(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).sum();
  }

  static void register(DuroxideRuntime.Builder node) {
    node.activity(ADD_ONE, (ctx, number) -> number + 1)
        .activity(
            RAISE,
            (ctx, what) -> {
              String[] words = what.split(" ", -1);
              Client.of(ctx).raiseEvent(words[0], "event-" + words[1], words[1]);
              return "";
            });
    for (MixedWork shape : values()) {
      node.orchestration(shape.handle(), (ctx, size) -> shape.run(ctx, size));
    }
  }

  /**
   * One of the work to be done.
   *
   * @param result as it is stored
   */
  record Order(String instance, String result) {}

  /** Starts the n-th piece of work. */
  static Order start(Client client, int number) {
    MixedWork shape = values()[number % values().length];
    int size = 1 + number / values().length % SIZES;
    String instance = shape + "-" + number;
    shape.start(client, instance, size);
    return new Order(instance, Integer.toString(shape.result(size)));
  }
}
