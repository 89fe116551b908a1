package io.duroxide.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Packages")
class PackageTest {
  private static final Set<String> DUMPING_GROUNDS =
      Set.of("util", "utils", "common", "helper", "helpers", "impl");

  @Test
  @DisplayName("no package is a dumping ground")
  void names() {
    assertThat(
            Project.allSources()
                .filter(source -> isDumpingGround(source.path().getParent()))
                .map(source -> source.at(1, "move it to a package named after its noun")))
        .isEmpty();
  }

  @Test
  @DisplayName("every main package is null-marked")
  void nullMarked() {
    var marked =
        Project.mainSources()
            .filter(source -> source.className().equals("package-info"))
            .filter(
                source -> source.shape().names().stream().anyMatch(name -> name.is("NullMarked")))
            .map(source -> source.path().getParent())
            .collect(Collectors.toSet());
    assertThat(
            Project.mainSources()
                .filter(source -> !source.className().equals("module-info"))
                .filter(source -> !marked.contains(source.path().getParent()))
                .map(source -> source.at(1, "add a package-info.java with @NullMarked beside it")))
        .isEmpty();
  }

  private static boolean isDumpingGround(Path folder) {
    return StreamSupport.stream(folder.spliterator(), false)
        .map(Path::toString)
        .anyMatch(DUMPING_GROUNDS::contains);
  }
}
