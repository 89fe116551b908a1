package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import io.duroxide.model.Event;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The framework version")
class FrameworkVersionTest {
  private static final Pattern VERSION =
      Pattern.compile(
          "<artifactId>duroxide-java-parent</artifactId>\\s*<version>(\\d+\\.\\d+\\.\\d+)");
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);

  /** The version of the build, as its pom has it. */
  private static String ofTheBuild() throws IOException {
    Matcher version = VERSION.matcher(Files.readString(Path.of("..", "pom.xml")));
    assertThat(version.find()).isTrue();
    return version.group(1);
  }

  @Test
  @DisplayName("RL-076 the stamped version is that of the build")
  void stamped() throws Exception {
    OrchestrationRegistry orders =
        OrchestrationRegistry.builder().register(ORDER, (ctx, in) -> in).build();
    try (Node node = new Node(orders)) {
      node.send(new WorkItem.StartOrchestration(Turns.ORDER_7, "Order", "", null, null));
      node.step();

      assertThat(node.history(1))
          .isNotEmpty()
          .extracting(Event::stamp)
          .allSatisfy(stamp -> assertThat(stamp.frameworkVersion()).isEqualTo(ofTheBuild()));
    }
    assertThat(FrameworkVersion.CURRENT).hasToString(ofTheBuild());
  }

  @ParameterizedTest(name = "RL-076 a build of version {0} stamps {1}")
  @CsvSource({"0.2.0-SNAPSHOT, 0.2.0", "1.4.0, 1.4.0", "'1.4.0-rc.1\n', 1.4.0"})
  void labels(String written, String expected) {
    assertThat(FrameworkVersion.of(written)).hasToString(expected);
  }

  @ParameterizedTest(name = "RL-076 a build that wrote [{0}] is no release")
  @ValueSource(strings = {"", "${project.version}", "next"})
  void unknown(String written) {
    assertThat(FrameworkVersion.of(written)).hasToString(Semver.PLACEHOLDER);
  }
}
