package io.duroxide.benchmarks.operations;

import io.duroxide.benchmarks.TemporaryFolder;
import io.duroxide.management.Management;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.sqlite.Durability;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Pages of a large SQLite store: the first and the thousandth, by filter. Prints one table. */
public final class ListingFigures {
  private static final int INSTANCES = 1_000_000;
  private static final int ROWS = 50;
  private static final int FAR = 1_000;
  private static final int WARM_UP = 20;
  private static final int TIMES = 100;

  private ListingFigures() {}

  public static void main(String[] arguments) throws Exception {
    int instances = Scale.of(arguments, INSTANCES);
    SqliteOptions options = SqliteOptions.DEFAULT.withDurability(Durability.NORMAL);
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-listing")) {
      Path file = folder.path().resolve("store.db");
      try (SqliteProvider store = SqliteProvider.open(file, options)) {
        long began = System.nanoTime();
        new Population(store).make(instances);
        System.out.printf(
            Locale.ROOT,
            "%,d instances made in %,d s%n",
            instances,
            (System.nanoTime() - began) / 1_000_000_000);
      }
      System.out.printf(Locale.ROOT, "store: %,d MiB%n", Files.size(file) >> 20);
      try (SqliteProvider store = SqliteProvider.open(file, options)) {
        report(Management.of(store));
      }
    }
  }

  private static Map<String, InstanceFilter> filters() {
    Map<String, InstanceFilter> filters = new LinkedHashMap<>();
    filters.put("none", InstanceFilter.ALL);
    filters.put("completed", InstanceFilter.ALL.withStatuses(ExecutionStatus.COMPLETED));
    filters.put("running", InstanceFilter.running());
    filters.put("name prefix Order", InstanceFilter.ALL.withNamePrefix("Order"));
    filters.put("running, name prefix Order", InstanceFilter.running().withNamePrefix("Order"));
    filters.put("name StockMove", InstanceFilter.ALL.named("StockMove"));
    filters.put("id prefix order-00", InstanceFilter.ALL.withIdPrefix("order-00"));
    filters.put("roots", InstanceFilter.ALL.roots());
    return filters;
  }

  private static void report(Management management) {
    System.out.printf(
        "%-28s %12s %12s %12s %12s%n", "filter", "page 1", "worst", "page " + FAR, "worst");
    filters()
        .forEach((name, filter) -> {
          Latencies first = measure(management, InstanceQuery.firstPage(filter, ROWS));
          Latencies far = measure(management, farPage(management, filter));
          System.out.printf(
              Locale.ROOT,
              "%-28s %9.2f ms %9.2f ms %9.2f ms %9.2f ms%n",
              name,
              first.percentileMillis(50),
              first.percentileMillis(100),
              far.percentileMillis(50),
              far.percentileMillis(100));
        });
  }

  /** The thousandth page, or the last full one. */
  private static InstanceQuery farPage(Management management, InstanceFilter filter) {
    InstanceQuery query = InstanceQuery.firstPage(filter, ROWS);
    for (int page = 1; page < FAR; page++) {
      InstanceQuery next = query.after(management.list(query).next());
      if (next.after() == null || management.list(next).rows().size() < ROWS) {
        break;
      }
      query = next;
    }
    return query;
  }

  private static Latencies measure(Management management, InstanceQuery query) {
    Latencies latencies = new Latencies();
    for (int i = 0; i < WARM_UP; i++) {
      management.list(query);
    }
    for (int i = 0; i < TIMES; i++) {
      long began = System.nanoTime();
      InstancePage page = management.list(query);
      latencies.add(System.nanoTime() - began);
      if (page.rows().size() != ROWS) {
        throw new IllegalStateException("a page of " + page.rows().size() + " rows");
      }
    }
    return latencies;
  }
}
