package io.duroxide.e2e;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.Provider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.runtime.SessionOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** A process that works under a name until it is killed, or its parent has ended. */
final class ClusterNode {
  /** How long locks and leases of all kinds last. */
  static final Duration LOCK = Duration.ofSeconds(2);

  static final Activity<String, String> WORK = Activity.of("Work", String.class, String.class);

  /** Says who ran its turn. */
  static final Orchestration<String, String> TURN =
      Orchestration.of("Turn", String.class, String.class);

  /** Says who ran its activity. */
  static final Orchestration<String, String> STEP =
      Orchestration.of("Step", String.class, String.class);

  /** Says who ran the two activities of its session, the second of which waits for an event. */
  static final Orchestration<String, String> SESSION =
      Orchestration.of("Session", String.class, String.class);

  /** Waits for an event; says its version and who ran its last turn. */
  static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  private ClusterNode() {}

  /** What nodes can do. */
  enum Kind {
    /** Takes turns and activities and never ends them; says when it holds one. */
    HANGING,
    /** All but {@link #FLOW}. */
    PLAIN,
    /** The first version of {@link #FLOW}. */
    OLD,
    /** The second version. */
    NEW,
    /** Both versions. */
    BOTH,
    /** The first version, on an engine of which this build has never heard. */
    FUTURE
  }

  /** Runs a node of a kind; arguments: the address of the store, the node's name, the kind. */
  public static void main(String[] arguments) throws IOException {
    Provider store =
        PostgresProvider.open(arguments[0], PostgresOptions.DEFAULT.withConnections(4));
    Kind kind = Kind.valueOf(arguments[2]);
    UnaryOperator<String> said = kind == Kind.HANGING ? ClusterNode::hang : what -> arguments[1];
    builder(store, arguments[1], kind, said).start();
    System.out.println("ready");
    while (System.in.read() >= 0) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(0);
  }

  /**
   * A node.
   *
   * @param said what turns and activities say, given which of the two they are
   */
  static DuroxideRuntime.Builder builder(
      Provider store, String name, Kind kind, UnaryOperator<String> said) {
    DuroxideRuntime.Builder node = DuroxideRuntime.builder(store).options(options(name, kind));
    return switch (kind) {
      case HANGING, PLAIN -> plain(node, said);
      case OLD, FUTURE -> flow(node, "1.0.0", name);
      case NEW -> flow(node, "2.0.0", name);
      case BOTH -> flow(flow(node, "1.0.0", name), "2.0.0", name);
    };
  }

  private static RuntimeOptions options(String name, Kind kind) {
    RuntimeOptions.Builder options =
        RuntimeOptions.builder()
            .orchestratorLockTimeout(LOCK)
            .workerLockTimeout(LOCK)
            .sessions(new SessionOptions(LOCK, Duration.ofHours(1), Duration.ofHours(1), 10))
            .blockingLimit(Duration.ofHours(1))
            .workerNodeId(name)
            .maxAttempts(100);
    if (kind == Kind.FUTURE) {
      options.supportedReplayVersions(
          List.of(new SemverRange(Semver.of(99, 0, 0), Semver.of(99, 9, 9))));
    }
    return options.build();
  }

  private static DuroxideRuntime.Builder plain(
      DuroxideRuntime.Builder node, UnaryOperator<String> said) {
    return node.activity(WORK, (ctx, in) -> said.apply("activity"))
        .orchestration(TURN, (ctx, in) -> said.apply("turn"))
        .orchestration(STEP, (ctx, in) -> ctx.call(WORK, in).await())
        .orchestration(
            SESSION,
            (ctx, in) -> {
              ActivityOptions session = ActivityOptions.options().session("session");
              String first = ctx.call(WORK, in, session).await();
              ctx.waitForEvent("go").await();
              return first + " " + ctx.call(WORK, in, session).await();
            });
  }

  private static DuroxideRuntime.Builder flow(
      DuroxideRuntime.Builder node, String version, String name) {
    return node.orchestration(
        FLOW,
        version,
        (ctx, in) -> {
          ctx.waitForEvent("go").await();
          return version + " " + name;
        });
  }

  private static String hang(String what) {
    System.out.println("holds " + what);
    try {
      new CountDownLatch(1).await();
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts a process. */
  static Process spawn(String address, String name, Kind kind) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              ClusterNode.class.getName(),
              address,
              name,
              kind.name())
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
