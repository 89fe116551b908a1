package io.duroxide.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** What a JVM has beyond what it had at first: threads, child processes, listening ports. */
final class Leftovers {
  /** What was told to end may take a moment. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final String OURS = "duroxide";
  private static final String LISTENING = "0A";
  private static final int STATE = 3;
  private static final int INODE = 9;

  private final Set<Thread> atFirst = Thread.getAllStackTraces().keySet();

  /** What is left, once there is nothing or the patience is over. */
  List<String> await() {
    try {
      return Awaitility.await().atMost(PATIENCE).until(this::now, List::isEmpty);
    } catch (ConditionTimeoutException over) {
      return now();
    }
  }

  List<String> now() {
    Stream<String> threads =
        Stream.concat(
            LiveThreads.named(OURS).stream(),
            Thread.getAllStackTraces().keySet().stream()
                .filter(this::holdsJvm)
                .map(Thread::getName));
    Stream<String> processes =
        ProcessHandle.current()
            .children()
            .filter(ProcessHandle::isAlive)
            .map(child -> child.pid() + " " + child.info().commandLine().orElse(""));
    return Stream.of(
            threads.map(name -> "thread " + name),
            processes.map(name -> "process " + name),
            ports().map(port -> "port " + port))
        .flatMap(kind -> kind)
        .toList();
  }

  /** Threads of surefire and of the wait itself aside. */
  private boolean holdsJvm(Thread thread) {
    return !thread.isDaemon()
        && !atFirst.contains(thread)
        && !thread.equals(Thread.currentThread())
        && !thread.getName().startsWith("surefire")
        && !thread.getName().startsWith("awaitility")
        && !thread.getName().equals("DestroyJavaVM")
        && !thread.getName().startsWith(OURS);
  }

  /** Where the system tells: the ports on which this process listens. */
  private static Stream<String> ports() {
    Set<String> own = ownSockets();
    return Stream.of("tcp", "tcp6")
        .map(table -> Path.of("/proc/self/net", table))
        .filter(Files::isReadable)
        .flatMap(table -> lines(table).stream())
        .map(line -> line.strip().split("\\s+"))
        .filter(fields -> fields[STATE].equals(LISTENING) && own.contains(fields[INODE]))
        .map(fields -> fields[1].substring(fields[1].lastIndexOf(':') + 1))
        .map(hex -> Integer.toString(Integer.parseInt(hex, 16)));
  }

  private static List<String> lines(Path table) {
    try {
      return Files.readAllLines(table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> ownSockets() {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return Set.of();
    }
    try (Stream<Path> all = Files.list(descriptors)) {
      return all.map(Leftovers::target)
          .filter(target -> target.startsWith("socket:["))
          .map(target -> target.substring("socket:[".length(), target.length() - 1))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty for a descriptor that was closed meanwhile. */
  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closed) {
      return "";
    }
  }
}
