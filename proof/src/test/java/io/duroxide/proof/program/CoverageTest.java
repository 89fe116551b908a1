package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CoverageTest {
  /** As many as the short form of the chaos lane runs. */
  private static final int PROGRAMS = 400;

  private static final int LEAST = 20;

  private static final List<List<Record>> SHORT_FORM =
      IntStream.range(0, PROGRAMS)
          .mapToObj(new ProgramGenerator(1)::program)
          .map(ProgramWalk::operations)
          .toList();

  private static long programsWith(Predicate<Record> wanted) {
    return SHORT_FORM.stream().filter(program -> program.stream().anyMatch(wanted)).count();
  }

  private static Map<String, Long> rare(Map<String, Long> counts) {
    Map<String, Long> rare = new TreeMap<>(counts);
    rare.values().removeIf(count -> count >= LEAST);
    return rare;
  }

  @Test
  @DisplayName(
      "RL-206 the table of operations names every method of the authoring API, and no other")
  void complete() {
    assertThat(ApiTable.uses().keySet()).containsExactlyInAnyOrderElementsOf(ApiTable.published());
  }

  @Test
  @DisplayName("RL-206 each method of the authoring API is in 20 programs or more")
  void methods() {
    Map<String, Long> counts = new TreeMap<>();
    ApiTable.uses().forEach((method, used) -> counts.put(method, programsWith(used)));
    assertThat(rare(counts)).isEmpty();
  }

  @Test
  @DisplayName("RL-206 each kind of operation, task and end is in 20 programs or more")
  void kinds() {
    Map<String, Long> counts = new TreeMap<>();
    Set<Class<?>> kinds = new HashSet<>();
    Stream.of(Op.class, Task.class, End.class)
        .forEach(type -> kinds.addAll(List.of(type.getPermittedSubclasses())));
    kinds.forEach(kind -> counts.put(kind.getSimpleName(), programsWith(kind::isInstance)));
    assertThat(rare(counts)).isEmpty();
  }
}
