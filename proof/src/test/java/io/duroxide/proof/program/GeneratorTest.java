package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GeneratorTest {
  private static final int PROGRAMS = 400;

  private static List<String> programs(long seed) {
    ProgramGenerator generator = new ProgramGenerator(seed);
    return IntStream.range(0, PROGRAMS).mapToObj(i -> generator.program(i).toJson()).toList();
  }

  @Test
  @DisplayName(
      "RL-207 a seed gives the same programs byte for byte, in any order; another does not")
  void sameSeed() {
    List<String> once = programs(42);
    assertThat(programs(42)).isEqualTo(once);
    assertThat(new ProgramGenerator(42).program(17).toJson()).isEqualTo(once.get(17));
    assertThat(programs(43)).doesNotContainAnyElementsOf(once);
  }

  @Test
  @DisplayName("RL-207 a seed gives the same entities and commands")
  void sameEntities() {
    assertThat(new ProgramGenerator(42).entity(3)).isEqualTo(new ProgramGenerator(42).entity(3));
    assertThat(new ProgramGenerator(42).entity(3)).isNotEqualTo(new ProgramGenerator(42).entity(4));
  }

  @Test
  @DisplayName("a program read from its text is the same program, with the same text")
  void roundTrip() {
    ProgramGenerator generator = new ProgramGenerator(42);
    for (int i = 0; i < PROGRAMS; i++) {
      Program program = generator.program(i);
      assertThat(Program.fromJson(program.toJson())).isEqualTo(program);
      assertThat(Program.fromJson(program.toJson()).toJson()).isEqualTo(program.toJson());
    }
  }

  @Test
  @DisplayName("programs have 3 to 60 operations, and many of any size")
  void sizes() {
    ProgramGenerator generator = new ProgramGenerator(42);
    List<Integer> sizes =
        IntStream.range(0, PROGRAMS).mapToObj(i -> generator.program(i).size()).toList();
    assertThat(sizes).allMatch(size -> size >= 3 && size <= 60);
    assertThat(sizes.stream().filter(size -> size < 15).count()).isGreaterThan(50);
    assertThat(sizes.stream().filter(size -> size > 45).count()).isGreaterThan(50);
  }

  @Test
  @DisplayName("most programs have one possible result")
  void determined() {
    ProgramGenerator generator = new ProgramGenerator(42);
    long free =
        IntStream.range(0, PROGRAMS)
            .mapToObj(generator::program)
            .map(ProgramWalk::operations)
            .filter(operations -> operations.stream().anyMatch(Op.Race.class::isInstance))
            .count();
    assertThat(free).isBetween(1L, PROGRAMS / 2L);
  }
}
