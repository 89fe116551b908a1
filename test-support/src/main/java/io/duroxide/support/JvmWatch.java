package io.duroxide.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Stands at both ends of each test JVM: prints the seed of the order of tests, and fails the build
 * if the tests leave a thread, a process, a port or a file behind. Tests that run others are
 * watched as a whole; a JVM that no build has started is not.
 */
public final class JvmWatch implements LauncherSessionListener {
  private static final AtomicBoolean WATCHED = new AtomicBoolean();

  private final boolean watches =
      System.getProperty("test.seed") != null && WATCHED.compareAndSet(false, true);
  private final Leftovers leftovers = new Leftovers();
  private final TemporaryFolder folder = TemporaryFolder.ofJvm();

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    // It would blame a wait for what a thread of some other test has thrown.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    // Longer than anything takes on a busy machine.
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
    if (watches) {
      folder.enter();
      System.err.println(
          "The order of tests is repeated by -Dtest.seed=" + System.getProperty("test.seed"));
    }
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    if (!watches) {
      return;
    }
    SharedServer.stopOwn();
    List<String> found = new ArrayList<>(leftovers.await());
    // Behind everything else: to look for threads makes a file, which another JVM might see.
    folder.leave().forEach(file -> found.add("file " + file));
    if (!found.isEmpty()) {
      throw new IllegalStateException("tests of this JVM left behind: " + found);
    }
  }
}
