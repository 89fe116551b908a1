package io.duroxide.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Forbidden names")
class ForbiddenNamesTest {
  /** The only classes that may take time or randomness from the machine. */
  private static final Set<String> SOURCES_OF_TIME_AND_CHANCE =
      Set.of("SystemTime", "SystemRandomness", "LockTokens");

  private static final List<String> TIME =
      List.of("Thread.sleep", "Instant.now", "System.currentTimeMillis", "System.nanoTime");
  private static final List<String> CHANCE =
      List.of("new Random", "UUID.randomUUID", "Math.random", "ThreadLocalRandom.current");

  /** What makes the threads of each module: in core one class for itself and one for stores. */
  private static final Map<String, Set<String>> THREAD_MAKERS =
      Map.of("core", Set.of("ThreadMaker", "StoreThreads"));

  private static final Pattern THREADS =
      Pattern.compile(
          "(.*[. ])?(Thread\\.of[A-Z]\\w+|Thread\\.startVirtualThread|Executors\\.\\w+)"
              + "|new (.*\\.)?(Thread|ForkJoinPool|\\w*ThreadPoolExecutor)");

  /** The kit runs tests, which make threads of their own. */
  private static final String KIT = "provider-tck";

  private static final Pattern LOOSE_END = Pattern.compile("\\b(T[O]DO|FIX[M]E)\\b(?!.*#\\d)");

  @Test
  @DisplayName("published code asks for the time, it never takes it")
  void time() {
    assertThat(inPublishedCode(TIME, "ask the clock you were given (SystemTime is the real one)"))
        .isEmpty();
  }

  @Test
  @DisplayName("published code asks for randomness, it never takes it")
  void chance() {
    assertThat(inPublishedCode(CHANCE, "ask the source you were given (SystemRandomness)"))
        .isEmpty();
  }

  @Test
  @DisplayName("RL-021 threads and executors are made only by the factory of their module")
  void threads() {
    var sources =
        Project.publishedSources()
            .filter(source -> !source.module().equals(KIT))
            .filter(source ->
                !THREAD_MAKERS
                    .getOrDefault(source.module(), Set.of())
                    .contains(source.className()));
    assertThat(
            sources.flatMap(source ->
                source.shape().names().stream()
                    .filter(name -> THREADS.matcher(name.text()).matches())
                    .map(name ->
                        source.at(
                            name.line(), name.text() + ": ask the thread maker of the module"))))
        .isEmpty();
  }

  @Test
  @DisplayName("core has no synchronized")
  void synchronizedCode() {
    var core = Project.mainSources().filter(source -> source.module().equals("core"));
    assertThat(uses(core, List.of("synchronized"), "confine the state or use a ReentrantLock"))
        .isEmpty();
  }

  @Test
  @DisplayName("published code has no ThreadLocal")
  void threadLocal() {
    var names = List.of("ThreadLocal", "InheritableThreadLocal");
    assertThat(uses(Project.publishedSources(), names, "pass the value along")).isEmpty();
  }

  @Test
  @DisplayName("published code prints nothing, except the command line and the kit's main")
  void systemOut() {
    var quiet =
        Project.publishedSources()
            .filter(source -> !source.module().equals("cli"))
            .filter(source -> !source.className().equals("TckMain"));
    assertThat(uses(quiet, List.of("System.out", "System.err"), "log it or return it")).isEmpty();
  }

  @Test
  @DisplayName("core's tests never sleep")
  void sleepingTests() {
    var tests = Project.testSources().filter(source -> source.module().equals("core"));
    assertThat(
            uses(tests, List.of("Thread.sleep"), "move the test's clock, or wait with Awaitility"))
        .isEmpty();
  }

  @Test
  @DisplayName("every loose end carries the number of its issue")
  void looseEnds() {
    assertThat(
            Project.allSources()
                .flatMap(source -> lines(source, LOOSE_END, "finish it, or add #<issue number>")))
        .isEmpty();
  }

  private static Stream<String> inPublishedCode(List<String> names, String advice) {
    var sources =
        Project.publishedSources()
            .filter(source -> !SOURCES_OF_TIME_AND_CHANCE.contains(source.className()));
    return uses(sources, names, advice);
  }

  private static Stream<String> uses(
      Stream<JavaSource> sources, List<String> names, String advice) {
    return sources.flatMap(source -> uses(source, names, advice));
  }

  private static Stream<String> uses(JavaSource source, List<String> names, String advice) {
    return source.shape().names().stream()
        .filter(name -> names.stream().anyMatch(name::is))
        .map(name -> source.at(name.line(), "uses " + name.text() + ": " + advice));
  }

  private static Stream<String> lines(JavaSource source, Pattern pattern, String advice) {
    return IntStream.range(0, source.lines().size())
        .filter(i -> pattern.matcher(source.lines().get(i)).find())
        .mapToObj(i -> source.at(i + 1, source.lines().get(i).strip() + ": " + advice));
  }
}
