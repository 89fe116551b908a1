package io.duroxide.e2e;

import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.StartOptions;
import io.duroxide.provider.Provider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process whose threads start many ids, each of which must be new. */
final class NewStartCaller {
  static final int IDS = 200;
  private static final int THREADS = 8;
  private static final StartOptions MUST_BE_NEW =
      StartOptions.defaults().withReuse(StartOptions.Reuse.REJECT);

  private NewStartCaller() {}

  /** A start that was accepted. */
  record Accepted(String instance, String input) {}

  /** Arguments: the address of the store, its schema, and the name of the process. */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    try (Provider store = open(arguments[0], arguments[1])) {
      System.out.println("ready");
      if (System.in.read() < 0) {
        return;
      }
      for (Accepted one : callAll(store, arguments[2])) {
        System.out.println(one.instance() + " " + one.input());
      }
      System.out.println("done");
    }
  }

  private static Provider open(String address, String schema) {
    return address.startsWith("jdbc:postgresql:")
        ? PostgresProvider.open(
            address, PostgresOptions.DEFAULT.withSchema(schema).withConnections(4))
        : SqliteProvider.open(Path.of(address));
  }

  /** All threads of this process try every id at the same time; gives what was accepted. */
  static List<Accepted> callAll(Provider store, String name)
      throws InterruptedException, ExecutionException {
    CountDownLatch together = new CountDownLatch(THREADS);
    List<Accepted> accepted = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Accepted>>> calls = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        String input = name + "-" + thread;
        calls.add(
            threads.submit(() -> {
              together.countDown();
              together.await();
              return callEach(store, input);
            }));
      }
      for (Future<List<Accepted>> call : calls) {
        accepted.addAll(call.get());
      }
    }
    return accepted;
  }

  private static List<Accepted> callEach(Provider store, String input) {
    Client client = Client.of(store);
    List<Accepted> accepted = new ArrayList<>();
    for (int id = 0; id < IDS; id++) {
      if (isAccepted(client, "id-" + id, input)) {
        accepted.add(new Accepted("id-" + id, input));
      }
    }
    return accepted;
  }

  private static boolean isAccepted(Client client, String id, String input) {
    try {
      client.start("Echo", id, input, MUST_BE_NEW);
      return true;
    } catch (ClientException.InstanceExists taken) {
      return false;
    }
  }

  /** Such a process, seen by its parent. */
  static final class Handle implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;

    Handle(String address, String schema, String name) {
      try {
        process =
            new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "--enable-native-access=ALL-UNNAMED",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                    NewStartCaller.class.getName(),
                    address,
                    schema,
                    name)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      said =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      next();
    }

    private String next() {
      try {
        String line = said.readLine();
        if (line == null) {
          throw new IllegalStateException("the process has ended with " + process.waitFor());
        }
        return line;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    /** Lets its threads begin. */
    void begin() {
      try {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Waits until its threads have ended; gives what was accepted. */
    Collection<Accepted> accepted() {
      List<Accepted> accepted = new ArrayList<>();
      for (String line = next(); !line.equals("done"); line = next()) {
        int space = line.indexOf(' ');
        accepted.add(new Accepted(line.substring(0, space), line.substring(space + 1)));
      }
      return accepted;
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }
}
