package io.duroxide.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What a test JVM leaves behind")
class LeftoversTest {
  private final Leftovers leftovers = new Leftovers();
  private final CountDownLatch end = new CountDownLatch(1);

  /** Lives until the test ends it. */
  private void linger() {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Threads that count. */
  enum Kind {
    VIRTUAL_OF_OURS {
      @Override
      Thread start(Runnable work) {
        return Thread.ofVirtual().name("duroxide-sample").start(work);
      }
    },
    DAEMON_OF_OURS {
      @Override
      Thread start(Runnable work) {
        return Thread.ofPlatform().daemon().name("duroxide-sample").start(work);
      }
    },
    ANY_THAT_HOLDS_THE_JVM {
      @Override
      Thread start(Runnable work) {
        return Thread.ofPlatform().name("a sample").start(work);
      }
    };

    abstract Thread start(Runnable work);
  }

  @ParameterizedTest(name = "RL-243 a thread is named: {0}")
  @EnumSource
  void thread(Kind kind) throws InterruptedException {
    Thread thread = kind.start(this::linger);
    try {
      assertThat(leftovers.now())
          .anyMatch(line -> line.startsWith("thread ") && line.contains(thread.getName()));
    } finally {
      end.countDown();
      thread.join();
    }
    assertThat(leftovers.await()).isEmpty();
  }

  @Test
  @DisplayName("RL-243 a child process is named")
  void process() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sleep", "600").start();
    try {
      assertThat(leftovers.now()).anyMatch(line -> line.startsWith("process " + process.pid()));
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertThat(leftovers.await()).isEmpty();
  }

  @Test
  @DisplayName("RL-243 a port on which the JVM listens is named")
  void port() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(leftovers.now()).containsExactly("port " + socket.getLocalPort());
    }
    assertThat(leftovers.await()).isEmpty();
  }

  @Test
  @DisplayName("RL-243 the last JVM of a module names the files that are left")
  void files(@TempDir Path root) throws IOException {
    Path shared = Files.createDirectory(root.resolve("surefire"));
    Files.createFile(shared.resolve("surefirebooter.jar"));
    Process other = new ProcessBuilder("sleep", "600").start();
    try {
      TemporaryFolder first = new TemporaryFolder(shared, other.pid());
      TemporaryFolder last = new TemporaryFolder(shared, ProcessHandle.current().pid());
      first.enter();
      last.enter();
      Path left = Files.createFile(Files.createDirectory(shared.resolve("left")).resolve("file"));

      assertThat(first.leave()).isEmpty();
      assertThat(last.leave()).containsExactly(left.getParent());
    } finally {
      other.destroy();
    }
  }

  @Test
  @DisplayName("RL-243 what a build that was killed has left is forgotten")
  void killed(@TempDir Path root) throws IOException {
    Path shared = Files.createDirectory(root.resolve("surefire"));
    Files.createFile(Files.createDirectory(shared.resolve("left")).resolve("file"));
    TemporaryFolder folder = new TemporaryFolder(shared, ProcessHandle.current().pid());
    folder.enter();

    assertThat(folder.leave()).isEmpty();
  }
}
