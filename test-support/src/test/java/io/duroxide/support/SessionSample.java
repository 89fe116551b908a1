package io.duroxide.support;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A test JVM: runs the test that its argument names, prints the order, and ends. */
final class SessionSample {
  private SessionSample() {}

  public static void main(String[] args) throws ClassNotFoundException {
    List<String> order = new ArrayList<>();
    try (LauncherSession session = LauncherFactory.openSession()) {
      session
          .getLauncher()
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(selectClass(Class.forName(args[0])))
                  .configurationParameter(
                      "junit.jupiter.testmethod.order.default",
                      "org.junit.jupiter.api.MethodOrderer$Random")
                  .configurationParameter(
                      "junit.jupiter.execution.order.random.seed", System.getProperty("test.seed"))
                  .build(),
              new TestExecutionListener() {
                @Override
                public void executionStarted(TestIdentifier test) {
                  if (test.isTest()) {
                    order.add(test.getDisplayName());
                  }
                }
              });
    }
    System.out.println(order);
    // A thread that was left would keep this JVM alive.
    Runtime.getRuntime().halt(0);
  }

  /** Leaves nothing. */
  static final class Tidy {
    @Test
    void a() {}

    @Test
    void b() {}

    @Test
    void c() {}

    @Test
    void d() {}

    @Test
    void e() {}

    @Test
    void f() {}
  }

  /** Leaves a thread. */
  static final class Untidy {
    @Test
    void leaves() {
      Thread.ofPlatform()
          .daemon()
          .name("duroxide-left")
          .start(() -> {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
  }
}
