package io.duroxide.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rooms are the packages directly below {@code io.duroxide}; a room not listed here is a break. */
@DisplayName("Who may import whom")
class ImportTableTest {
  private static final String HOUSE = "io.duroxide";

  private static final Map<String, Set<String>> TABLE =
      Map.ofEntries(
          Map.entry("model", Set.of()),
          // Nothing but where threads come from; whoever needs one asks there.
          Map.entry("threads", Set.of()),
          Map.entry("codec", Set.of("model")),
          Map.entry("api", Set.of("model")),
          Map.entry("telemetry", Set.of("model")),
          Map.entry("provider", Set.of("model")),
          Map.entry("provider.memory", Set.of("provider", "model", "codec", "threads")),
          Map.entry("provider.sqlite", Set.of("provider", "model", "codec")),
          Map.entry("provider.postgres", Set.of("provider", "model", "codec")),
          // The kit compares with the store in memory and runs runtimes; it knows no other room's
          // inside.
          Map.entry(
              "provider.tck",
              Set.of("provider", "provider.memory", "model", "codec", "api", "runtime", "client")),
          Map.entry("replay", Set.of("api", "model", "threads")),
          Map.entry(
              "runtime",
              Set.of("replay", "provider", "api", "model", "codec", "telemetry", "threads")),
          Map.entry("client", Set.of("provider", "api", "model", "telemetry", "threads")),
          Map.entry("management", Set.of("provider", "model", "telemetry")),
          Map.entry("metrics.micrometer", Set.of("telemetry", "model")),
          Map.entry("tracing.opentelemetry", Set.of("telemetry", "model")),
          Map.entry(
              "testing",
              Set.of(
                  "api",
                  "model",
                  "codec",
                  "provider",
                  "provider.memory",
                  "replay",
                  "runtime",
                  "client")),
          // The command line opens stores by address and exports histories in their stored form.
          Map.entry(
              "cli",
              Set.of(
                  "client",
                  "management",
                  "provider",
                  "model",
                  "codec",
                  "provider.sqlite",
                  "provider.postgres")),
          Map.entry("dashboard", Set.of("client", "management")),
          Map.entry("starter", Set.of("runtime", "client", "management")));

  /** Programs around the library: they may import what they like. */
  private static final Set<String> GUESTS =
      Set.of("architecture", "benchmarks", "examples", "formatter", "simulation", "support");

  private static final Set<String> ALLOWED_IN_MODEL = Set.of("java.", "org.jspecify.");

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPaths(Project.classFolders());

  @Test
  @DisplayName("every package is a listed room")
  void rooms() {
    assertThat(
            residents()
                .map(ImportTableTest::room)
                .distinct()
                .filter(Predicate.not(TABLE::containsKey))
                .map(room -> HOUSE + "." + room + ": move it to a listed room, or list it"))
        .isEmpty();
  }

  @Test
  @DisplayName("a room imports only the rooms listed for it")
  void imports() {
    assertThat(
            dependencies()
                .filter(dependency -> isOurs(dependency.getTargetClass()))
                .filter(Predicate.not(ImportTableTest::isAllowed))
                .map(dependency ->
                    "%s → %s is not listed: %s"
                        .formatted(
                            room(dependency.getOriginClass()),
                            room(dependency.getTargetClass()),
                            dependency.getDescription())))
        .isEmpty();
  }

  @Test
  @DisplayName("model needs nothing but the JDK")
  void modelIsPlain() {
    assertThat(
            dependencies()
                .filter(dependency -> room(dependency.getOriginClass()).equals("model"))
                .filter(dependency -> !isOurs(dependency.getTargetClass()))
                .filter(dependency -> !isPlain(dependency.getTargetClass()))
                .map(Dependency::getDescription))
        .isEmpty();
  }

  @Test
  @DisplayName("no cycles between packages")
  void cycles() {
    slices()
        .matching(HOUSE + ".(**)")
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  private static Stream<JavaClass> residents() {
    return CLASSES.stream()
        .filter(ImportTableTest::isOurs)
        .filter(type -> GUESTS.stream().noneMatch(room(type)::startsWith));
  }

  private static Stream<Dependency> dependencies() {
    return residents().flatMap(type -> type.getDirectDependenciesFromSelf().stream());
  }

  private static boolean isAllowed(Dependency dependency) {
    var from = room(dependency.getOriginClass());
    var to = room(dependency.getTargetClass());
    return from.equals(to) || TABLE.getOrDefault(from, Set.of()).contains(to);
  }

  private static boolean isOurs(JavaClass type) {
    return type.getBaseComponentType().getPackageName().startsWith(HOUSE);
  }

  private static boolean isPlain(JavaClass type) {
    var element = type.getBaseComponentType();
    return element.isPrimitive()
        || ALLOWED_IN_MODEL.stream().anyMatch(element.getName()::startsWith);
  }

  private static String room(JavaClass type) {
    var name = type.getBaseComponentType().getPackageName();
    return name.length() > HOUSE.length() ? name.substring(HOUSE.length() + 1) : name;
  }
}
