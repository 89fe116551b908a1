package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.client.Client;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** An accumulator that ends and begins again all the time loses nothing. */
class AccumulatorTest {
  private static final int NUMBERS = 300;
  private static final int SENDERS = 12;
  private static final int KILLS = 3;

  @TempDir private Path folder;
  private final List<Process> nodes = new ArrayList<>();

  @AfterEach
  void end() {
    nodes.forEach(Process::destroyForcibly);
  }

  @Test
  @DisplayName("EN-085 memory: 300 of 300 messages of concurrent startAndEnqueue calls are read")
  void memory(TestReporter reporter) throws Exception {
    try (Provider store = MemoryProvider.create();
        DuroxideRuntime node = Accumulator.register(DuroxideRuntime.builder(store)).start()) {
      assertThat(node).isNotNull();
      sendAll(store, new AtomicInteger());
      check(store, reporter);
    }
  }

  @Test
  @DisplayName("EN-085 SQLite: 300 of 300 messages are read while nodes are killed")
  void sqlite(TestReporter reporter) throws Exception {
    String file = folder.resolve("store.db").toString();
    try (Provider store = Accumulator.open(file, "")) {
      withKills(store, file, "");
      check(store, reporter);
    }
  }

  @Test
  @DisplayName("EN-085 PostgreSQL: 300 of 300 messages are read while nodes are killed")
  void postgres(TestReporter reporter) throws Exception {
    String schema = PostgresServer.takeSchema();
    String url = PostgresServer.url(schema);
    try (Provider store = Accumulator.open(url, schema)) {
      withKills(store, url, schema);
      check(store, reporter);
    }
    end();
    PostgresServer.giveBack(schema);
  }

  /** Two nodes work; one is killed and replaced each time another part of the numbers is sent. */
  private void withKills(Provider store, String address, String schema) throws Exception {
    nodes.add(Accumulator.spawn(address, schema));
    nodes.add(Accumulator.spawn(address, schema));
    nodes.forEach(KillWorker::awaitReady);
    AtomicInteger sent = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> sending =
          threads.submit(() -> {
            sendAll(store, sent);
            return true;
          });
      for (int kill = 1; kill <= KILLS; kill++) {
        int enough = NUMBERS * kill / (KILLS + 1);
        await().atMost(World.PATIENCE).until(() -> sent.get() >= enough);
        nodes.removeFirst().destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        Process fresh = Accumulator.spawn(address, schema);
        nodes.add(fresh);
        KillWorker.awaitReady(fresh);
      }
      sending.get();
    }
  }

  /** Several at a time; now and then one of them waits until the accumulator has ended. */
  private static void sendAll(Provider store, AtomicInteger sent) throws Exception {
    Client client = Client.of(store);
    try (ExecutorService threads = Executors.newFixedThreadPool(SENDERS)) {
      List<Future<?>> calls = new ArrayList<>();
      for (int number = 0; number < NUMBERS; number++) {
        int next = number;
        calls.add(
            threads.submit(() -> {
              Accumulator.send(client, next);
              sent.incrementAndGet();
              if (next % 10 == 0) {
                client.waitForCompletion(Accumulator.ID, World.PATIENCE);
              }
              return next;
            }));
      }
      for (Future<?> call : calls) {
        call.get();
      }
    }
  }

  private static void check(Provider store, TestReporter reporter) {
    Client.of(store).waitForCompletion(Accumulator.ID, World.PATIENCE);
    ProviderAdmin admin = store.management().orElseThrow();
    List<Integer> read = new ArrayList<>();
    List<Long> executions = admin.listExecutions(Accumulator.ID);
    for (long execution : executions) {
      String output = admin.executionInfo(new ExecutionKey(Accumulator.ID, execution)).output();
      Pattern.compile("\\d+")
          .matcher(String.valueOf(output))
          .results()
          .forEach(number -> read.add(Integer.valueOf(number.group())));
    }
    reporter.publishEntry("executions", Integer.toString(executions.size()));
    assertThat(read)
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, NUMBERS).boxed().toList());
    assertThat(executions.size()).isGreaterThan(1);
  }
}
