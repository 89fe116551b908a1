package io.duroxide.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.tck.InstrumentedFixture;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.ProviderTck;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The kit itself")
class KitTest {
  private static final String ID = "TCK-[A-Z]+-\\d\\d [^ ].*";

  @Test
  @DisplayName("every category runs from main, against the plain and the decorated provider")
  void complete() throws Exception {
    Set<Class<?>> categories = categories().collect(Collectors.toSet());
    assertThat(categories).hasSizeGreaterThan(15);
    List<Class<?>> run = new ArrayList<>(categoriesOf(load("Suites"), load("MailSuites")));
    run.add(load("ClockSuite").getSuperclass());
    assertThat(run).containsExactlyInAnyOrderElementsOf(categories);
    assertThat(categoriesOf(MemoryTckTest.class, MemoryFeatureTckTest.class))
        .containsExactlyInAnyOrderElementsOf(categories);
    assertThat(categoriesOf(InstrumentedMemoryTckTest.class))
        .containsExactlyInAnyOrderElementsOf(categories);
  }

  @Test
  @DisplayName("every entry begins with its id")
  void ids() throws Exception {
    assertThat(categories().flatMap(category -> Arrays.stream(category.getDeclaredMethods())))
        .filteredOn(method -> method.isAnnotationPresent(Test.class))
        .extracting(KitTest::displayName)
        .isNotEmpty()
        .allMatch(name -> name.matches(ID), "begins with its id");
  }

  @Test
  @DisplayName("the instrumented fixture passes on every question")
  void decoratedFixture() {
    assertThat(InstrumentedFixture.class.getDeclaredMethods())
        .extracting(Method::getName)
        .containsAll(
            Arrays.stream(ProviderFixture.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(Method::getName)
                .toList());
  }

  private static String displayName(Method test) {
    DisplayName name = test.getAnnotation(DisplayName.class);
    return name == null ? test.toString() : name.value();
  }

  private static List<Class<?>> categoriesOf(Class<?>... suites) {
    return Arrays.stream(suites)
        .flatMap(suite -> Arrays.stream(suite.getDeclaredClasses()))
        .<Class<?>>map(Class::getSuperclass)
        .toList();
  }

  private static Stream<Class<?>> categories() throws Exception {
    Path classes =
        Path.of(ProviderTck.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path kit = classes.resolve(ProviderTck.class.getPackageName().replace('.', '/'));
    return names(kit).stream()
        .<Class<?>>map(KitTest::load)
        .filter(type -> ProviderTck.class.isAssignableFrom(type) && type != ProviderTck.class)
        .filter(type -> Modifier.isAbstract(type.getModifiers()))
        .filter(type -> Modifier.isPublic(type.getModifiers()));
  }

  private static List<String> names(Path kit) throws IOException {
    try (Stream<Path> files = Files.list(kit)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Tck.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(ProviderTck.class.getPackageName() + "." + name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
