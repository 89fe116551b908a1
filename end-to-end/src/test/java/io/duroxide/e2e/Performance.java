package io.duroxide.e2e;

import io.duroxide.examples.Play;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.runtime.SessionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/**
 * A run of a play in a world of its own, with nodes that stop without a word after given commits.
 *
 * <p>The clock stands still while anything can be done, so that no lock of a living node ends; it
 * moves on when everybody waits, and past all locks when the nodes have stopped.
 */
final class Performance implements AutoCloseable {
  private static final Duration LOCK = Duration.ofSeconds(1);
  private static final Duration TICK = Duration.ofMillis(100);

  /** What a run left behind. */
  record Ending(List<Object> results, Map<String, Map<String, Long>> recorded, int stops) {}

  private final World world;
  private final List<DuroxideRuntime> nodes = new ArrayList<>();
  private int life;
  private int stops;

  Performance(World world) {
    this.world = world;
  }

  /**
   * Runs a play to its end.
   *
   * @param firstLife how many commits the first nodes live to see
   * @param laterLives the same for those that follow
   */
  Ending run(Play play, int firstLife, int laterLives) {
    List<Object> results = new ArrayList<>();
    life = firstLife;
    for (Play.Act act : play.acts()) {
      CompletableFuture<Object> script =
          CompletableFuture.supplyAsync(
              () -> act.script().apply(world.client()),
              Executors.newVirtualThreadPerTaskExecutor());
      while (!live(act, script)) {
        life = laterLives;
      }
      results.add(script.join());
    }
    Recorded.check(world.store());
    return new Ending(results, Recorded.in(world.store()), stops);
  }

  /** Lets the nodes live; true if they saw the end of the act. */
  private boolean live(Play.Act act, CompletableFuture<Object> script) {
    Lifeline line = new Lifeline(world.store(), life, () -> {});
    act.nodes().forEach(node -> start(node, line));
    world.until(() -> line.isCut() || (Quiet.reigns(world) && (script.isDone() || tick())));
    stop();
    world.advance(LOCK.plus(TICK));
    stops += line.isCut() ? 1 : 0;
    life = line.commitsLeft();
    return !line.isCut();
  }

  private void stop() {
    nodes.forEach(node -> node.shutdown(Duration.ZERO));
    nodes.clear();
  }

  private void start(Play.Node node, Lifeline line) {
    RuntimeOptions.Builder options =
        world
            .options()
            .orchestratorLockTimeout(LOCK)
            .workerLockTimeout(LOCK)
            .sessions(new SessionOptions(LOCK, Duration.ofMinutes(5), Duration.ofMinutes(5), 10))
            .maxAttempts(100);
    nodes.add(node.on(line.store(), options));
  }

  private boolean tick() {
    world.advance(TICK);
    return false;
  }

  @Override
  public void close() {
    stop();
    world.close();
  }
}
