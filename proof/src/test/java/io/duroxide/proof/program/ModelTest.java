package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.KeyValueStore;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs on a node that nothing disturbs. {@code -Dproof.seed=N} takes others, {@code
 * -Dproof.programs=N} more of them.
 */
class ModelTest {
  private static final int PROGRAMS = Integer.getInteger("proof.programs", 500);
  private static final long SEED = Long.getLong("proof.seed", 1);
  private static final int KEPT = 10_000;
  private static final ProgramGenerator GENERATOR = new ProgramGenerator(SEED);

  static Stream<Arguments> benches() {
    Supplier<Provider> memory = MemoryProvider::create;
    Supplier<Provider> sqlite = SqliteProvider::inMemory;
    return Stream.of(
        Arguments.of(0, "in memory, kept", memory, KEPT),
        Arguments.of(1, "in memory, replayed", memory, 0),
        Arguments.of(2, "SQLite, kept", sqlite, KEPT),
        Arguments.of(3, "SQLite, replayed", sqlite, 0));
  }

  @ParameterizedTest(name = "RL-208 the model alone equals an undisturbed run, {1}")
  @MethodSource("benches")
  @DisplayName("RL-208 the model alone equals an undisturbed run for 500 programs")
  void modelEqualsRun(int lane, String ignored, Supplier<Provider> store, int cached) {
    int lanes = (int) benches().count();
    int[] numbers = IntStream.range(0, PROGRAMS).filter(i -> i % lanes == lane).toArray();
    try (ProgramBench bench = new ProgramBench(store.get(), ProgramBench.Setup.plain(cached))) {
      assertThat(differences(bench, numbers)).isEmpty();
    }
  }

  @Test
  @DisplayName("RL-208 the model allows for clients that make every call twice")
  void callsMadeTwice() {
    try (ProgramBench bench =
        new ProgramBench(MemoryProvider.create(), ProgramBench.Setup.plain(KEPT).withTimes(2))) {
      assertThat(differences(bench, IntStream.range(PROGRAMS, PROGRAMS + 100).toArray())).isEmpty();
    }
  }

  @Test
  @DisplayName("RL-206 programs really call every method of the context and of its values")
  void calls() {
    ContextWitness witness = new ContextWitness();
    try (ProgramBench bench =
        new ProgramBench(
            MemoryProvider.create(), ProgramBench.Setup.plain(KEPT).withView(witness::watch))) {
      assertThat(differences(bench, IntStream.range(0, 120).toArray())).isEmpty();
    }
    assertThat(witness.called())
        .containsAll(
            ApiTable.published().stream()
                .filter(name ->
                    name.startsWith(OrchestrationContext.class.getSimpleName() + ".")
                        || name.startsWith(KeyValueStore.class.getSimpleName() + "."))
                .toList());
  }

  @ParameterizedTest(name = "the model holds on a store that refuses and loses answers, {0} kept")
  @ValueSource(ints = {0, KEPT})
  @DisplayName("the model holds on a store that refuses and loses answers at random")
  void troubledStore(int cached) {
    TroubledStore trouble = new TroubledStore(SEED);
    try (ProgramBench bench =
        new ProgramBench(
            MemoryProvider.create(),
            ProgramBench.Setup.plain(cached).withNodeStore(trouble::before))) {
      assertThat(differences(bench, IntStream.range(cached, cached + 50).toArray())).isEmpty();
      assertThat(trouble.count()).isGreaterThan(10);
    }
  }

  static Stream<Arguments> restlessBenches() {
    Function<InstantSource, Provider> memory = MemoryProvider::create;
    Function<InstantSource, Provider> sqlite =
        clock -> SqliteProvider.inMemory(SqliteOptions.DEFAULT.withClock(clock));
    return Stream.of(
        Arguments.of("in memory, kept", memory, KEPT, 0),
        Arguments.of("SQLite, replayed", sqlite, 0, PROGRAMS));
  }

  @ParameterizedTest(name = "RL-042 programs on a clock that is set on and back, {0}")
  @MethodSource("restlessBenches")
  @DisplayName("RL-042 1,000 programs with steps of the clock by 1 h: results as without")
  void restlessClock(
      String ignored, Function<InstantSource, Provider> store, int cached, int first) {
    try (RestlessClock clock = new RestlessClock();
        ProgramBench bench =
            new ProgramBench(store.apply(clock), ProgramBench.Setup.plain(cached))) {
      clock.start();
      int[] numbers = IntStream.range(first, first + PROGRAMS).toArray();
      assertThat(differences(bench, numbers)).isEmpty();
      assertThat(clock.steps()).isGreaterThan(4);
    }
  }

  private static Map<String, List<String>> differences(ProgramBench bench, int... numbers) {
    return bench.differences(IntStream.of(numbers).mapToObj(GENERATOR::program).toList());
  }
}
