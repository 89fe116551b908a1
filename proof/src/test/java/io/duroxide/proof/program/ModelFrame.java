package io.duroxide.proof.program;

import io.duroxide.api.OrchestrationFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What {@link CodeFrame} does, without storage, threads or time. */
final class ModelFrame {
  private final ModelInstance instance;
  private final Labels labels;
  private final ModelTasks tasks;
  private final Map<Integer, ModelFuture> slots = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  ModelFrame(ModelInstance instance, String path) {
    this.instance = instance;
    this.labels = new Labels(path);
    this.tasks = new ModelTasks(instance, labels);
  }

  String text() {
    return notes.toString();
  }

  private void note(Object what) {
    notes.add(String.valueOf(what));
  }

  void all(List<Op> body) {
    body.forEach(this::one);
  }

  private void one(Op op) {
    switch (op) {
      case Op.Start(int slot, Task task) -> slots.put(slot, tasks.start(task));
      case Op.Await(int slot) -> note(slots.containsKey(slot) ? slots.get(slot).await() : "-");
      case Op.AwaitFor(int slot, boolean enough) -> awaitFor(slots.get(slot), enough);
      case Op.IsDone(int slot) -> note(slots.containsKey(slot) ? isDone(slots.get(slot)) : "-");
      case Op.Cancel(int slot) -> {
        if (slots.containsKey(slot)) {
          slots.get(slot).cancel();
        }
      }
      case Op.Join(List<Integer> chosen, boolean ignored) -> {
        List<String> outcomes = futures(chosen).stream().map(ModelFuture::outcome).toList();
        outcomes.forEach(this::note);
      }
      case Op.All(List<Integer> chosen) -> waitForAll(futures(chosen));
      case Op.Select(List<Integer> chosen, boolean typed) -> select(futures(chosen), typed);
      case Op.Race(List<Task> all) -> race(all);
      case Op.MapAll map -> map(map);
      case Op.Scope(List<Task> owned, List<Op> body) -> scope(owned, body);
      case Op.SagaBlock saga -> saga(saga);
      case Op.Attempt(List<Op> body) -> attempt(body);
      case Op.Repeat(int times, List<Op> body) -> {
        for (int i = 0; i < times; i++) {
          all(body);
        }
      }
      case Op.Throw(Failing failing, String text) ->
          throw ModelFailure.of(ProgramFailure.of(failing, text));
      default -> effect(op);
    }
  }

  private void effect(Op op) {
    switch (op) {
      case Op.SetStatus(int position, String text) ->
          instance.status(ClientScript.statusAt(position, text));
      case Op.ResetStatus() -> instance.status(null);
      case Op.ReadStatus() -> note(Optional.ofNullable(instance.status()));
      case Op.Gate gate -> gate(gate);
      case Op.Guid() -> note("guid of version 4");
      case Op.Now() -> note(true);
      case Op.Identity() -> {
        note(instance.id() + "#" + instance.execution());
        note(ProgramCode.PROGRAM.name() + "@" + instance.version());
        note(Values.text(new Amount(1)));
      }
      case Op.Log ignored -> {}
      case Op.EndWhenRead ignored -> {}
      case Op.Detach(String name, Program program, boolean typed) ->
          instance.detach(name, typed ? program.withVersion(null) : program);
      case Op.ReadOther(String child, String key) -> note(instance.readOther(child, key));
      case Op.PruneHistory ignored -> note("pruned true");
      default -> value(op, instance.values());
    }
  }

  private void value(Op op, SortedMap<String, String> values) {
    switch (op) {
      case Op.Put(String key, int units) -> values.put(key, Values.text(new Amount(units)));
      case Op.PutText(String key, String text) -> values.put(key, text);
      case Op.Get(String key) ->
          note(Optional.ofNullable(values.get(key)).map(Values::amount).map(Amount::units));
      case Op.GetText(String key) -> note(Optional.ofNullable(values.get(key)));
      case Op.GetWrong(String key) ->
          note(values.containsKey(key) ? "no list: " + key : Optional.empty());
      case Op.GetAll() -> {
        note(values);
        note(values.keySet());
        note(values.size());
      }
      case Op.Clear(String key) -> values.remove(key);
      case Op.ClearAll() -> values.clear();
      case Op.PruneValues(boolean all) -> {
        note(all ? values.size() : 0);
        if (all) {
          values.clear();
        }
      }
      default -> throw new IllegalArgumentException("no operation of a frame: " + op);
    }
  }

  private List<ModelFuture> futures(List<Integer> chosen) {
    return chosen.stream().filter(slots::containsKey).map(slots::get).toList();
  }

  private static boolean isDone(ModelFuture future) {
    if (future.comes() && !future.settled()) {
      throw new IllegalArgumentException("whether it is done yet is free");
    }
    return future.settled();
  }

  private void awaitFor(@Nullable ModelFuture future, boolean enough) {
    if (future == null) {
      note("-");
    } else if (enough || future.settled()) {
      note(future.await());
    } else if (future.comes()) {
      throw new IllegalArgumentException("whether it comes within a short time is free");
    } else {
      future.cancel();
      note("timed out");
    }
  }

  /** Waits for all before it looks at any of them. */
  private void waitForAll(List<ModelFuture> futures) {
    futures.forEach(ModelFuture::outcome);
    note(futures.stream().map(ModelFuture::await).toList());
  }

  private void select(List<ModelFuture> futures, boolean typed) {
    if (futures.isEmpty()) {
      note("-");
      return;
    }
    int winner = ModelFuture.select(futures);
    String outcome = futures.get(winner).outcome();
    giveUpOthers(futures, winner);
    boolean throwing = typed && (futures.size() == 2 || futures.size() == 3);
    note(winner + " " + (throwing ? futures.get(winner).await() : outcome));
  }

  private static void giveUpOthers(List<ModelFuture> futures, int winner) {
    for (int i = 0; i < futures.size(); i++) {
      if (i != winner) {
        futures.get(i).cancel();
      }
    }
  }

  private void race(List<Task> all) {
    String key = Labels.CHOICE + labels.next();
    List<ModelFuture> futures = all.stream().map(tasks::start).toList();
    int winner = instance.choice(key, futures);
    String value = futures.get(winner).await();
    giveUpOthers(futures, winner);
    instance.values().put(key, Integer.toString(winner));
    note(winner + " " + value);
  }

  private void map(Op.MapAll map) {
    String label = labels.next();
    if (map.failing() >= 0 && map.failing() < map.elements()) {
      throw ModelFailure.ofActivity(
          label + "/" + map.failing() + " is broken", OrchestrationFailure.class);
    }
    note(IntStream.range(0, map.elements()).mapToObj(i -> label + "/" + i).toList());
  }

  private void scope(List<Task> owned, List<Op> body) {
    List<ModelFuture> futures = new ArrayList<>();
    try {
      owned.forEach(task -> futures.add(tasks.start(task)));
      all(body);
    } catch (ModelFailure e) {
      futures.forEach(ModelFuture::cancel);
      throw e;
    }
    futures.forEach(ModelFuture::cancel);
  }

  private void saga(Op.SagaBlock block) {
    String label = labels.next();
    Deque<Integer> undos = new ArrayDeque<>();
    for (int i = 0; i < block.steps().size(); i++) {
      note(label + "/" + i);
      undos.push(i);
    }
    if (block.end() == Op.SagaEnd.COMMIT) {
      return;
    }
    ModelFailure first = null;
    while (!undos.isEmpty()) {
      int step = undos.pop();
      ModelFailure failure = undo(block.steps().get(step), label, label + "/" + step);
      first = first == null ? failure : first;
    }
    if (block.end() == Op.SagaEnd.THROW) {
      throw ModelFailure.of(new OrchestrationFailure(label + " is left"));
    }
    if (first != null) {
      throw first;
    }
  }

  private @Nullable ModelFailure undo(Op.SagaStep how, String label, String step) {
    String text = step + " is not undone";
    if (how.byCode()) {
      instance.values().merge(Labels.UNDO + label, step + ",", String::concat);
      return how.undoFails() ? ModelFailure.of(new OrchestrationFailure(text)) : null;
    }
    return how.undoFails() ? ModelFailure.ofActivity(text, IllegalStateException.class) : null;
  }

  private void attempt(List<Op> body) {
    try {
      all(body);
    } catch (ModelFailure e) {
      note(e.note());
    }
  }

  private void gate(Op.Gate gate) {
    instance.status(ClientScript.statusAt(gate.position(), ""));
    List<String> data = new ArrayList<>();
    for (int i = 0; i < gate.events(); i++) {
      Amount amount = new Amount(gate.position() * 10 + i);
      String text = gate.typed() ? Values.text(amount) : "event " + amount.units();
      instance.expect(
          gate.position(), new ClientScript.Deed.Raise(Labels.gate(gate.position(), i), text));
      data.add(gate.typed() ? amount.toString() : text);
    }
    note(data);
  }
}
