package io.duroxide.benchmarks;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.replay.Execution;
import io.duroxide.replay.TurnInput;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The engine alone, without store and without queues. The bodies run on a virtual thread, as in the
 * runtime: a platform thread that hands over to virtual threads is several times slower.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 30)
@Measurement(iterations = 20)
@Fork(value = 1, jvmArgsAppend = "-Djmh.executor=VIRTUAL")
public class EngineBenchmark {
  /** Turns in one measurement of {@link #turn}. */
  static final int TURNS = 2_000;

  /** Events read in one measurement of {@link #replay}. */
  static final int REPLAYED = 100_000;

  /** Chains that wait for a step; as many as it takes so that each makes only a few turns. */
  @State(Scope.Thread)
  public static class Parked {
    /** Events of each history; a measurement adds at most a few percent, or one turn. */
    @Param({"10", "1000", "100000"})
    public int events;

    private List<Execution> chains = List.of();

    @Setup(Level.Invocation)
    public void park() {
      if (!Thread.currentThread().isVirtual()) {
        throw new IllegalStateException("must run on a virtual thread");
      }
      int count = Math.max(2, TURNS / Math.max(1, events / 50));
      List<Execution> all = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        all.add(Steps.parked("chain-" + i, events));
      }
      chains = all;
    }

    @TearDown(Level.Invocation)
    public void discard() {
      chains.forEach(Execution::discard);
    }
  }

  /** A history in memory. */
  @State(Scope.Thread)
  public static class Recorded {
    @Param({"10", "1000", "100000"})
    public int events;

    private final ExecutionKey key = new ExecutionKey("chain", 1);
    private List<Event> history = List.of();

    @Setup
    public void record() {
      history = Steps.history(key, events);
    }
  }

  /** One turn of a parked execution: a step completes, the next one is scheduled. */
  @Benchmark
  @OperationsPerInvocation(TURNS)
  public void turn(Parked parked, Blackhole sink) {
    int rounds = TURNS / parked.chains.size();
    for (int round = 0; round < rounds; round++) {
      for (Execution execution : parked.chains) {
        sink.consume(execution.turn(Steps.completion(execution)));
      }
    }
  }

  /**
   * Rebuilding executions from history and ending them, until {@link #REPLAYED} events are read.
   */
  @Benchmark
  @OperationsPerInvocation(REPLAYED)
  public void replay(Recorded recorded, Blackhole sink) {
    for (int read = 0; read < REPLAYED; read += recorded.events) {
      Execution execution = Steps.execution(recorded.key, Steps::chain);
      sink.consume(execution.turn(TurnInput.of(recorded.history, List.of())));
      execution.discard();
    }
  }
}
