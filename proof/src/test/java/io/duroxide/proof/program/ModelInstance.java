package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One instance in the model: what it keeps over its executions. */
final class ModelInstance {
  private final ModelWorld world;
  private final String id;
  private final Program program;
  private final int sender;
  private final SortedMap<String, String> values = new TreeMap<>();
  private final Map<String, ModelQueue> queues = new HashMap<>();
  private final Map<String, ModelInstance> children = new HashMap<>();
  private @Nullable String status;
  private @Nullable String version;
  private int part;

  ModelInstance(ModelWorld world, String id, Program program) {
    this.world = world;
    this.id = id;
    this.program = program;
    this.version = program.version();
    this.sender = world.newSender();
  }

  String id() {
    return id;
  }

  int execution() {
    return part + 1;
  }

  String version() {
    return version == null ? ProgramCode.VERSIONS.getLast() : version;
  }

  SortedMap<String, String> values() {
    return values;
  }

  @Nullable String status() {
    return status;
  }

  void status(@Nullable String newStatus) {
    status = newStatus;
  }

  ModelQueue queue(String name) {
    return queues.computeIfAbsent(name, queue -> new ModelQueue(world.mail(this, queue)));
  }

  Program program() {
    return program;
  }

  void expect(int position, ClientScript.Deed deed) {
    world.add(new ClientScript.Step(sender, id, position, deed));
  }

  /** Which of a race won: the run says so, and the first that comes if there was no run. */
  int choice(String key, List<ModelFuture> futures) {
    int first =
        IntStream.range(0, futures.size())
            .filter(i -> futures.get(i).comes())
            .min()
            .orElseThrow(ModelFuture.Blocked::new);
    int chosen = world.recorded(id, key).map(Integer::valueOf).orElse(first);
    if (chosen < 0 || chosen >= futures.size() || !futures.get(chosen).comes()) {
      throw new IllegalStateException(
          "instance '%s' says in '%s' that task %d won, which cannot be"
              .formatted(id, key, chosen));
    }
    return chosen;
  }

  ModelFuture child(@Nullable String name, Program called) {
    String childId = name == null ? "?" : Labels.instance(id, name);
    ModelInstance child = new ModelInstance(world, childId, called);
    if (name != null) {
      children.put(name, child);
    }
    return switch (child.run(name != null)) {
      case Ending.Completed(String output) -> ModelFuture.of("sub-orchestration", () -> output);
      case Ending.Failed(String text, String thrown) ->
          ModelFuture.failing("sub-orchestration", ModelFailure.ofChild(text, thrown));
      case Ending.Cancelled(String reason) ->
          reason == null
              ? ModelFuture.never("sub-orchestration")
              : ModelFuture.failing(
                  "sub-orchestration", ModelFailure.ofChild("canceled: " + reason, null));
      case Ending.Open(String ignored) -> ModelFuture.never("sub-orchestration");
    };
  }

  void detach(String name, Program started) {
    new ModelInstance(world, Labels.instance(id, name), started).run(true);
  }

  Optional<String> readOther(String child, String key) {
    return Optional.ofNullable(children.get(child)).map(other -> other.values.get(key));
  }

  private void expectMail() {
    Map<Integer, Integer> senders = new HashMap<>();
    for (Program.Mail mail : program.mail()) {
      if (!mail.withStart()) {
        int from = senders.computeIfAbsent(mail.sender(), number -> world.newSender());
        world.add(
            new ClientScript.Step(
                from, id, 0, new ClientScript.Deed.Send(mail.queue(), mail.text())));
      }
    }
  }

  /** Runs all executions. */
  Ending run(boolean named) {
    expectMail();
    Program current = program;
    boolean certain = true;
    Ending ending = null;
    while (ending == null) {
      part = current.part();
      ModelFrame frame = new ModelFrame(this, "r" + part);
      ending = body(frame, current);
      String notes = current.carried() + frame.text();
      if (ending == null) {
        ending = end(current.current().end(), notes);
        certain = !(current.current().end() instanceof End.AwaitParent);
      }
      if (ending == null) {
        current = current.next(notes);
        queues.values().forEach(ModelQueue::nextExecution);
      }
    }
    if (named) {
      world.add(id, new InstancePrediction(ending, values, status, execution(), reads(), certain));
    }
    return ending;
  }

  private @Nullable Ending body(ModelFrame frame, Program current) {
    try {
      frame.all(current.current().body());
      return null;
    } catch (ModelFailure e) {
      return e.ending();
    } catch (ModelFuture.Blocked e) {
      return new Ending.Open("waits for ever");
    }
  }

  private @Nullable Ending end(End end, String notes) {
    return switch (end) {
      case End.Return() -> new Ending.Completed(notes);
      case End.Fail(Failing failing, String text) ->
          ModelFailure.of(ProgramFailure.of(failing, text + notes)).ending();
      case End.Exceed() ->
          new Ending.Failed(
              "KV value for key '%s' (%d bytes) exceeds limit (65536 bytes)"
                  .formatted(Interpreter.BIG_KEY, Interpreter.BIG_SIZE),
              null);
      case End.Continue next -> {
        version = next.version();
        yield null;
      }
      case End.AwaitCancel(int position, String reason) -> {
        status = ClientScript.statusAt(position, "");
        expect(position, new ClientScript.Deed.Cancel(reason));
        yield new Ending.Cancelled(reason);
      }
      case End.AwaitParent() -> new Ending.Cancelled(null);
    };
  }

  private SortedMap<String, List<String>> reads() {
    SortedMap<String, List<String>> reads = new TreeMap<>();
    queues.forEach((name, queue) -> reads.put(name, new ArrayList<>(queue.read())));
    return reads;
  }
}
