package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.examples.Guide.Block;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the guide prints is what the build runs. */
@DisplayName("The guide")
class GuideTest {
  /** Stands for lines of the source that a block leaves out. */
  private static final String GAP = "// …";

  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  private static final Map<String, List<String>> OUTPUTS = new HashMap<>();

  @BeforeAll
  static void runAllPrograms(@TempDir Path folder) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(AllPrograms.class.getName()));
    command.addAll(Listing.programs());
    Process process = Jvm.start(folder, Jvm.CLASS_PATH, command);
    try (BufferedReader out = process.inputReader()) {
      List<String> current = new ArrayList<>();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        if (line.startsWith(AllPrograms.HEADLINE)) {
          current = new ArrayList<>();
          OUTPUTS.put(line.substring(AllPrograms.HEADLINE.length()), current);
        } else {
          current.add(line);
        }
      }
    }
    assertThat(process.waitFor()).isZero();
  }

  static Stream<Block> codeBlocks() {
    return Guide.blocks().stream()
        .filter(block -> block.label().startsWith("java"))
        .filter(block -> !block.subject().equals(QuickStartTest.PROGRAM));
  }

  static List<String> programs() {
    return Listing.programs();
  }

  @ParameterizedTest(name = "{0}: the code is a piece of the source it names")
  @MethodSource("codeBlocks")
  void code(Block block) {
    assertThat(block.subject()).as("the class after the word java").isNotEmpty();
    Listing source = Listing.of(block.subject());
    for (List<String> piece : pieces(block)) {
      assertThat(source.print(piece))
          .as("%s prints lines that %s does not have:%n%s", block, source, block.text())
          .isTrue();
    }
  }

  @ParameterizedTest(name = "{0} is printed as a whole")
  @MethodSource("programs")
  void wholePrograms(String program) {
    Listing source = Listing.of(program);
    codeBlocks()
        .filter(block -> block.subject().equals(program))
        .flatMap(block -> pieces(block).stream())
        .forEach(source::print);

    assertThat(source.unprinted()).isEmpty();
  }

  private static List<List<String>> pieces(Block block) {
    List<List<String>> pieces = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= block.lines().size(); i++) {
      if (i == block.lines().size() || block.lines().get(i).strip().equals(GAP)) {
        pieces.add(block.lines().subList(begin, i));
        begin = i + 1;
      }
    }
    return pieces;
  }

  @ParameterizedTest(name = "{0} prints what the guide says")
  @MethodSource("programs")
  void outputs(String program) {
    List<Block> shown =
        Guide.blocks().stream().filter(block -> block.hasLabel("text", program)).toList();

    assertThat(shown).isNotEmpty();
    assertThat(shown)
        .allSatisfy(block -> assertThat(block.lines()).isEqualTo(OUTPUTS.get(program)));
  }

  @Test
  @DisplayName("the history of the chain is the one printed")
  void history() {
    Block shown =
        Guide.blocks().stream()
            .filter(block -> block.hasLabel("text", "the history of Chain"))
            .findFirst()
            .orElseThrow();
    try (var store = SqliteProvider.inMemory();
        var runtime = Chain.register(DuroxideRuntime.builder(store)).start()) {
      Chain.run(Client.of(store));
      assertThat(store.read("order-7").stream().map(GuideTest::line))
          .containsExactlyElementsOf(shown.lines());
    }
  }

  private static String line(Event event) {
    String kind = event.kind().getClass().getSimpleName();
    String detail =
        switch (event.kind()) {
          case EventKind.OrchestrationStarted started -> started.name() + " " + started.version();
          case EventKind.ActivityScheduled scheduled -> scheduled.name();
          case EventKind.ActivityCompleted completed -> "of " + event.source();
          case EventKind.OrchestrationCompleted completed -> completed.output();
          case EventKind other -> throw new IllegalStateException(other.toString());
        };
    return event.id() + " " + kind + " " + detail;
  }

  static Stream<Path> documents() {
    return Guide.allDocuments().stream().map(Guide.ROOT::relativize);
  }

  @ParameterizedTest(name = "the links of {0} lead somewhere")
  @MethodSource("documents")
  void links(Path name) {
    Path page = Guide.ROOT.resolve(name);
    Matcher links = LINK.matcher(String.join("\n", Guide.lines(page)));
    while (links.find()) {
      assertThat(page.resolveSibling(links.group(1))).exists();
    }
  }

  @Test
  @DisplayName("the index names every page")
  void index() {
    String index = String.join("\n", Guide.lines(Guide.FOLDER.resolve("README.md")));

    assertThat(Guide.pages().stream().map(Path::getFileName).map(Path::toString))
        .filteredOn(page -> !page.equals("README.md"))
        .isNotEmpty()
        .allSatisfy(page -> assertThat(index).contains("](" + page + ")"));
  }

  @Test
  @DisplayName("the front page points to the guide")
  void frontPage() throws IOException {
    assertThat(Files.readString(Guide.ROOT.resolve("README.md"))).contains("docs/guide/README.md");
  }
}
