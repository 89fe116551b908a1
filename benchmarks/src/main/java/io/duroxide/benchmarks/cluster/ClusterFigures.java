package io.duroxide.benchmarks.cluster;

import io.duroxide.client.Client;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/**
 * What nodes on one durable PostgreSQL server do and cost.
 *
 * <p>The argument is a part of the names to run, such as {@code idle}; without one everything runs.
 * {@code -Dround} says how many seconds one round should take at about a thousand steps a second.
 */
public final class ClusterFigures {
  private static final int STEPS = 10;
  private static final int ROUND = Integer.getInteger("round", 5) * 1000;
  private static final int CALLERS = 64;
  private static final int SAMPLES = 300;
  private static final Duration IDLE = Duration.ofSeconds(20);
  private static final PostgresOptions OPTIONS = PostgresOptions.DEFAULT;

  private final PrintStream out;
  private final String url;
  private int schemas;

  private ClusterFigures(PrintStream out, String url) {
    this.out = out;
    this.url = url;
  }

  public static void main(String[] arguments) throws Exception {
    String wanted = arguments.length == 0 ? "" : arguments[0];
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .start()) {
      ClusterFigures figures =
          new ClusterFigures(System.out, server.getJdbcUrl("postgres", "postgres"));
      if ("lanes".contains(wanted)) {
        figures.lanes();
      }
      if ("batches".contains(wanted)) {
        figures.batches();
      }
      if ("idle".contains(wanted)) {
        figures.idle();
      }
      if ("wake".contains(wanted)) {
        figures.wake();
      }
    }
  }

  private PostgresOptions inNewSchema() {
    return OPTIONS.withSchema("figures_" + schemas++);
  }

  private void lanes() throws InterruptedException {
    for (int lanes : new int[] {1, 2, 4}) {
      PostgresOptions options = inNewSchema().withLanes(lanes).withConnections(2 + lanes);
      try (ClusterNode node = new ClusterNode(url, options)) {
        String name = "lanes: %d, %d connections".formatted(lanes, options.connections());
        node.turns("warm", ROUND / 4, CALLERS);
        long began = System.nanoTime();
        node.turns("turn", ROUND, CALLERS);
        print(name + ": turns/s", ROUND / seconds(began));
        began = System.nanoTime();
        node.chains("chain", ROUND / STEPS, STEPS, CALLERS);
        print(name + ": steps/s", ROUND / seconds(began));
      }
    }
  }

  private void batches() throws InterruptedException {
    for (int chains : new int[] {1, 8, CALLERS, 4 * CALLERS}) {
      try (ClusterNode node = new ClusterNode(url, inNewSchema())) {
        String name = "batches: %d chains at a time".formatted(chains);
        int steps = chains == 1 ? ROUND / 5 : ROUND;
        node.chains("warm", steps / 4 / STEPS, STEPS, chains);
        long trips = node.trips();
        long began = System.nanoTime();
        if (chains == 1) {
          node.chains("long", 1, steps, 1);
        } else {
          node.chains("chain", steps / STEPS, STEPS, chains);
        }
        print(name + ": steps/s", steps / seconds(began));
        print(name + ": round trips for each step", (double) (node.trips() - trips) / steps);
      }
    }
  }

  private void idle() throws InterruptedException {
    PostgresOptions options = inNewSchema();
    try (ClusterNode first = new ClusterNode(url, options);
        ClusterNode second = new ClusterNode(url, options)) {
      first.turns("warm", SAMPLES, 1);
      Thread.sleep(IDLE.dividedBy(2));
      long before = first.trips() + second.trips();
      Thread.sleep(IDLE);
      print(
          "idle: queries/s of each of two nodes",
          (first.trips() + second.trips() - before) / 2.0 / IDLE.toSeconds());
    }
  }

  private void wake() {
    PostgresOptions options = inNewSchema();
    try (ClusterNode node = new ClusterNode(url, options);
        PostgresProvider other = PostgresProvider.open(url, options)) {
      Client client = Client.of(other);
      long[] nanos = new long[SAMPLES];
      int[] number = {0};
      Arrays.setAll(nanos, any -> node.pickUp(client, "warm-" + number[0]++));
      Arrays.setAll(nanos, any -> node.pickUp(client, "measured-" + number[0]++));
      Arrays.sort(nanos);
      print("wake: a start on one node until the other runs it, ms, p50", nanos[SAMPLES / 2] / 1e6);
      print("wake: the same, p99", nanos[SAMPLES * 99 / 100] / 1e6);
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private void print(String what, double value) {
    out.printf(Locale.ROOT, "%-64s %8.2f%n", what, value);
  }
}
