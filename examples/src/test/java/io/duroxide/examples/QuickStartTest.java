package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.examples.Guide.Block;
import io.duroxide.model.EventKind;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Follows the quick start as a newcomer does, from an empty folder. */
@DisplayName("The quick start")
class QuickStartTest {
  /** The label of the program's block. */
  static final String PROGRAM = "src/main/java/Tea.java";

  private static final Path PAGE = Guide.FOLDER.resolve("quick-start.md");

  @TempDir private Path folder;

  private static Block block(String label) {
    return Guide.blocks(PAGE).stream()
        .filter(block -> block.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("its program is stopped, goes on where it was, and is done once")
  void program() throws IOException, InterruptedException {
    String classPath = compile();
    List<String> beforeStop = new ArrayList<>();
    Process stopped = Jvm.start(folder, classPath, List.of("Tea"));
    try (BufferedReader out = stopped.inputReader()) {
      beforeStop.add(out.readLine());
      awaitFirstPause();
      stopped.toHandle().destroyForcibly();
      stopped.waitFor();
    }

    assertThat(beforeStop).isEqualTo(block("text the first run").lines());
    assertThat(run(classPath)).isEqualTo(block("text the second run").lines());
    assertThat(run(classPath)).isEqualTo(block("text the third run").lines());
  }

  /** Compiles the program of the page; gives the class path to run it with. */
  private String compile() throws IOException {
    Path source = folder.resolve(PROGRAM);
    Files.createDirectories(source.getParent());
    Files.writeString(source, block("java " + PROGRAM).text());
    String classes = folder.resolve("target/classes").toString();
    int errors =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes, "-cp", Jvm.CLASS_PATH, source.toString());
    assertThat(errors).isZero();
    return classes + File.pathSeparator + Jvm.CLASS_PATH;
  }

  /** A newcomer is slower than this, but must not be quicker. */
  private void awaitFirstPause() {
    try (var store = SqliteProvider.open(folder.resolve("tea.db"))) {
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() ->
              store.read("cup-1").stream()
                  .anyMatch(event -> event.kind() instanceof EventKind.TimerCreated));
    }
  }

  private List<String> run(String classPath) throws IOException, InterruptedException {
    Process process = Jvm.start(folder, classPath, List.of("Tea"));
    try (BufferedReader out = process.inputReader()) {
      List<String> lines = out.lines().toList();
      assertThat(process.waitFor()).isZero();
      return lines;
    }
  }

  @Test
  @DisplayName("its pom names what this build makes and uses")
  void pom() throws Exception {
    Element pom = parse(Files.writeString(folder.resolve("pom.xml"), block("xml pom.xml").text()));
    Element ours = parse(Guide.ROOT.resolve("pom.xml"));
    String version = child(ours, "version").orElseThrow();

    assertThat(all(pom, "dependency")).isNotEmpty();
    for (Element dependency : all(pom, "dependency")) {
      String artifact = child(dependency, "artifactId").orElseThrow();
      String named = child(dependency, "version").orElseThrow();
      if (child(dependency, "groupId").orElseThrow().equals("io.duroxide")) {
        Path module = Guide.ROOT.resolve(artifact.replace("duroxide-", "")).resolve("pom.xml");
        assertThat(child(parse(module), "artifactId")).contains(artifact);
        assertThat(named).as(artifact).isEqualTo(version);
      } else {
        assertThat(property(ours, artifact)).as(artifact).contains(named);
      }
    }
    assertThat(all(pom, "plugin")).hasSize(2);
    for (Element plugin : all(pom, "plugin")) {
      String artifact = child(plugin, "artifactId").orElseThrow().replace("maven-", "");
      assertThat(child(plugin, "version")).isPresent().isEqualTo(property(ours, artifact));
    }
    assertThat(child(all(pom, "properties").getFirst(), "maven.compiler.release"))
        .isEqualTo(child(all(ours, "properties").getFirst(), "maven.compiler.release"));
  }

  @Test
  @DisplayName("its first command installs what its pom needs, and what that needs")
  void install() throws Exception {
    String command = block("sh").text();
    List<String> modules = List.of(command.replaceAll(".*-pl (\\S+) -am.*", "$1").split(","));

    assertThat(modules).contains("bom", "provider-sqlite");
    assertThat(parse(Guide.ROOT.resolve("pom.xml")).getTextContent()).contains("duroxide-bom");
  }

  private static Element parse(Path file) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
    return document.getDocumentElement();
  }

  /** The version that the build uses of a library or plugin. */
  private static Optional<String> property(Element pom, String artifact) {
    String name = artifact.startsWith("slf4j") ? "slf4j" : artifact;
    return child(all(pom, "properties").getFirst(), name + ".version");
  }

  private static List<Element> all(Element root, String name) {
    return elements(root.getElementsByTagName(name)).toList();
  }

  private static Optional<String> child(Element parent, String name) {
    return elements(parent.getChildNodes())
        .filter(element -> element.getTagName().equals(name))
        .map(Element::getTextContent)
        .findFirst();
  }

  private static Stream<Element> elements(NodeList nodes) {
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .filter(Element.class::isInstance)
        .map(Element.class::cast);
  }
}
