package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.KeyValueStore;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.provider.memory.MemoryProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
  private static final int LARGE = 60;
  private static final int SMALL = 8;

  @Test
  @DisplayName("RL-210 a planted failure in a program of 60 operations shrinks to 8 or less")
  void shrinks() {
    try (ProgramBench bench =
        new ProgramBench(
            MemoryProvider.create(),
            ProgramBench.Setup.plain(100).withView(ShrinkerTest::forgetful))) {
      Program large = large();
      assertThat(large.size()).isGreaterThanOrEqualTo(LARGE);
      assertThat(bench.run(large)).isNotEmpty();

      ProgramShrinker shrinker = new ProgramShrinker(program -> !bench.run(program).isEmpty());
      Program small = shrinker.shrink(large);

      assertThat(small.size()).as(small.toJson()).isLessThanOrEqualTo(SMALL);
      assertThat(bench.run(small)).isNotEmpty();
    }
  }

  /** A large program that removes a value in its middle. */
  private static Program large() {
    List<Op> planted =
        List.of(new Op.PutText("planted", "x"), new Op.Clear("planted"), new Op.GetAll());
    ProgramGenerator generator = new ProgramGenerator(7);
    Program program =
        IntStream.iterate(0, i -> i + 1)
            .mapToObj(generator::program)
            .filter(each -> each.size() + planted.size() >= LARGE)
            .findFirst()
            .orElseThrow();
    Program.Part first = program.parts().getFirst();
    List<Op> body = new ArrayList<>(first.body());
    body.addAll(body.size() / 2, planted);
    List<Program.Part> parts = new ArrayList<>(program.parts());
    parts.set(0, new Program.Part(body, first.end()));
    return program.withParts(parts);
  }

  /** The planted bug: a value that is removed stays. */
  private static OrchestrationContext forgetful(OrchestrationContext context) {
    return (OrchestrationContext)
        Proxy.newProxyInstance(
            ShrinkerTest.class.getClassLoader(),
            new Class<?>[] {OrchestrationContext.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(context, arguments);
                return result instanceof KeyValueStore values ? keeping(values) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static KeyValueStore keeping(KeyValueStore values) {
    return (KeyValueStore)
        Proxy.newProxyInstance(
            ShrinkerTest.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              try {
                return method.getName().equals("clear") ? null : method.invoke(values, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
