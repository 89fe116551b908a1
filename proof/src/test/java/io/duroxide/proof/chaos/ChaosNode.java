package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Ledger;
import io.duroxide.proof.program.ProgramCode;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.telemetry.Health;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A process that runs programs and is a client of its own store. It does what it is told on its
 * input, and halts when that ends.
 */
final class ChaosNode {
  /** It answers that it can be used. */
  static final String READY = "ready";

  /** It answers that its client has nothing left to do. */
  static final String FINISHED = "finished";

  /** It answers how it is doing. */
  static final String HEALTH = "health";

  /** It closes everything and answers what is left. */
  static final String STOP = "stop";

  /** Nothing is left, and nothing had to be interrupted. */
  static final String STOPPED_ORDERLY = STOP + " orderly left: ";

  /** Nothing is left, and something had to be interrupted. */
  static final String STOPPED_LATE = STOP + " late left: ";

  /** How long work may go on after the request to stop. */
  static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

  /** It takes all heap for a moment. */
  static final String HEAP = "heap";

  private static final Duration SHORTAGE = Duration.ofMillis(200);

  private static final Duration LOOK = Duration.ofMillis(20);

  /** Threads that were told to end may need a moment. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private static final int PIECE = 64 * 1024;

  private final DuroxideRuntime runtime;
  private final Provider store;

  private ChaosNode(DuroxideRuntime runtime, Provider store) {
    this.runtime = runtime;
    this.store = store;
  }

  /** Runs a node; the arguments are a {@link Birth}. */
  public static void main(String[] arguments) throws IOException {
    Birth birth = Birth.of(arguments);
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    ChaosSettings settings = birth.folder().settings();
    Ledger ledger = Ledger.open(birth.folder().ledgers(), birth.name(), birth.name());
    Provider store =
        new LockWitness(ledger, birth.name()).before(birth.options().open(birth.address()));
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(store)
            .options(
                birth
                    .options()
                    .runtime(settings.load().trueLocks())
                    .workerNodeId(birth.name())
                    .build());
    ProgramCode.register(builder, new ActivityBook(ledger, birth.name()));
    ChaosNode node = new ChaosNode(builder.start(), store);
    say(READY);
    ClientWork work =
        new ClientWork(birth.folder(), store, birth.name(), birth.slot(), birth.beganAt());
    Thread.ofPlatform()
        .daemon()
        .name("client")
        .start(() -> {
          work.perform();
          say(FINISHED);
        });
    node.obey(before);
  }

  private static void say(String text) {
    System.out.println(text);
    System.out.flush();
  }

  private void obey(Set<Thread> before) throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      switch (line) {
        case HEALTH -> {
          Health health = runtime.health();
          say(HEALTH + " " + health.status() + " " + health.problems());
        }
        case HEAP -> Thread.ofPlatform().daemon().name("shortage").start(ChaosNode::takeHeap);
        case STOP -> {
          stop(before);
          return;
        }
        default -> throw new IllegalArgumentException(line);
      }
    }
    Runtime.getRuntime().halt(0);
  }

  private void stop(Set<Thread> before) {
    boolean orderly = runtime.shutdown(STOP_TIMEOUT);
    store.close();
    long until = System.nanoTime() + GRACE.toNanos();
    String left = left(before);
    while (!left.isEmpty() && System.nanoTime() < until) {
      LockSupport.parkNanos(LOOK.toNanos());
      left = left(before);
    }
    say((orderly ? STOPPED_ORDERLY : STOPPED_LATE) + left);
    Runtime.getRuntime().halt(0);
  }

  private static String left(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !before.contains(thread))
        .map(Thread::getName)
        .filter(ChaosNode::isOfLibrary)
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static boolean isOfLibrary(String thread) {
    return thread.startsWith("duroxide") || thread.startsWith("HikariPool");
  }

  private static void takeHeap() {
    List<byte[]> taken = new ArrayList<>();
    long until = System.nanoTime() + SHORTAGE.toNanos();
    while (System.nanoTime() < until) {
      try {
        taken.add(new byte[PIECE]);
      } catch (OutOfMemoryError e) {
        Thread.onSpinWait();
      }
    }
    say(HEAP + " " + taken.size());
  }
}
