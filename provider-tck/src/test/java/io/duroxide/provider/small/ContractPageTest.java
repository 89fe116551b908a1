package io.duroxide.provider.small;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.tck.Feature;
import io.duroxide.provider.tck.ProviderFixture;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/provider-contract.md")
class ContractPageTest {
  private static final Path MODULE = Path.of("").toAbsolutePath();
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private String page;

  @BeforeEach
  void readPage() throws IOException {
    page = Files.readString(MODULE.resolveSibling("docs/provider-contract.md"));
  }

  @Test
  @DisplayName("lists the methods that a provider must have")
  void requiredMethods() {
    assertThat(codes(table("required method"), 0))
        .containsExactlyInAnyOrderElementsOf(methods(method -> !method.isDefault()));
  }

  @Test
  @DisplayName("lists the methods that a provider may leave out")
  void optionalMethods() {
    assertThat(codes(table("method with a default"), 0))
        .containsExactlyInAnyOrderElementsOf(methods(Method::isDefault));
  }

  @Test
  @DisplayName("the small provider has the required methods and no others")
  void smallProvider() {
    Set<String> declared =
        Arrays.stream(SmallProvider.class.getDeclaredMethods())
            .map(ContractPageTest::signature)
            .collect(Collectors.toSet());

    assertThat(declared)
        .containsAll(methods(method -> !method.isDefault()))
        .doesNotContainAnyElementsOf(methods(Method::isDefault));
  }

  @Test
  @DisplayName("lists every kind of error, and whether it can be retried")
  void errors() {
    assertThat(table("kind").stream().map(row -> row.get(0) + " " + row.get(1)))
        .containsExactlyElementsOf(
            Arrays.stream(ProviderException.Kind.values())
                .map(kind -> "`" + kind + "` " + (kind.retryable() ? "yes" : "no"))
                .toList());
  }

  @Test
  @DisplayName("lists every feature with its hooks")
  void features() {
    List<List<String>> rows = table("feature");
    List<String> hooks =
        Arrays.stream(ProviderFixture.class.getDeclaredMethods()).map(Method::getName).toList();

    assertThat(codes(rows, 0))
        .containsExactlyElementsOf(Arrays.stream(Feature.values()).map(Feature::name).toList());
    assertThat(hooks).containsAll(codes(rows, 2));
  }

  @Test
  @DisplayName("prints the whole fixture of the small provider")
  void fixture() throws IOException {
    Path source = MODULE.resolve("src/test/java/io/duroxide/provider/small/SmallFixture.java");

    assertThat(block("java SmallFixture")).isEqualTo(Files.readString(source));
  }

  @Test
  @DisplayName("names the coordinates of the kit")
  void coordinates() throws IOException {
    String pom = Files.readString(MODULE.resolve("pom.xml"));
    String own = pom.substring(pom.indexOf("</parent>"));

    assertThat(block("xml"))
        .contains(element(pom, "groupId"), element(own, "artifactId"), element(pom, "version"));
  }

  private static String element(String xml, String name) {
    return first(xml, "<" + name + ">[^<]+</" + name + ">").group();
  }

  private String block(String label) {
    return first(page, "(?ms)^```" + Pattern.quote(label) + "\n(.*?)^```$").group(1);
  }

  private static MatchResult first(String text, String pattern) {
    return Pattern.compile(pattern).matcher(text).results().findFirst().orElseThrow();
  }

  /** The rows of the table whose first head is {@code head}. */
  private List<List<String>> table(String head) {
    return page.lines()
        .dropWhile(line -> !line.startsWith("| " + head + " |"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(line -> List.of(line.substring(2).split(" \\|(?: |$)", -1)))
        .toList();
  }

  private static List<String> codes(List<List<String>> rows, int column) {
    return rows.stream()
        .flatMap(row -> CODE.matcher(row.get(column)).results())
        .map(code -> code.group(1))
        .toList();
  }

  private static List<String> methods(Predicate<Method> wanted) {
    return Stream.of(Provider.class.getDeclaredMethods())
        .filter(method -> !method.isSynthetic())
        .filter(wanted)
        .map(ContractPageTest::signature)
        .toList();
  }

  private static String signature(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", method.getName() + "(", ")"));
  }
}
