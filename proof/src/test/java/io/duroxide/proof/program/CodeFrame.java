package io.duroxide.proof.program;

import io.duroxide.api.Awaited;
import io.duroxide.api.CancellationScope;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Choice;
import io.duroxide.api.Choice3;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Joined;
import io.duroxide.api.Joined3;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.Outcome;
import io.duroxide.api.PrunedHistory;
import io.duroxide.api.Saga;
import io.duroxide.api.Selected;
import io.duroxide.api.TypeRef;
import io.duroxide.model.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The code of a part of a program or of one branch: its slots and what it noted. */
final class CodeFrame {
  /** Never reached, also if a clock is set forward by hours. */
  static final Duration FAR = Duration.ofDays(30);

  static final Duration NEAR = Duration.ofMillis(2);

  private final OrchestrationContext ctx;
  private final Labels labels;
  private final TaskCode tasks;
  private final Map<Integer, DurableFuture<String>> slots = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  CodeFrame(OrchestrationContext ctx, String path) {
    this.ctx = ctx;
    this.labels = new Labels(path);
    this.tasks = new TaskCode(ctx, labels);
  }

  String text() {
    return notes.toString();
  }

  private void note(Object what) {
    notes.add(String.valueOf(what));
  }

  void all(List<Op> body) throws Exception {
    for (Op op : body) {
      one(op);
    }
  }

  private void one(Op op) throws Exception {
    switch (op) {
      case Op.Start(int slot, Task task) -> slots.put(slot, tasks.start(task));
      case Op.Await(int slot) -> note(slots.containsKey(slot) ? slots.get(slot).await() : "-");
      case Op.AwaitFor(int slot, boolean enough) -> awaitFor(slots.get(slot), enough);
      case Op.IsDone(int slot) -> note(slots.containsKey(slot) ? slots.get(slot).isDone() : "-");
      case Op.Cancel(int slot) -> {
        if (slots.containsKey(slot)) {
          slots.get(slot).cancel();
        }
      }
      case Op.Join(List<Integer> chosen, boolean typed) -> join(futures(chosen), typed);
      case Op.All(List<Integer> chosen) -> note(ctx.all(futures(chosen)));
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
      case Op.Throw(Failing failing, String text) -> throw ProgramFailure.of(failing, text);
      default -> effect(op);
    }
  }

  /** What needs no future. */
  private void effect(Op op) {
    switch (op) {
      case Op.SetStatus(int position, String text) ->
          ctx.setCustomStatus(ClientScript.statusAt(position, text));
      case Op.ResetStatus() -> ctx.resetCustomStatus();
      case Op.ReadStatus() -> note(ctx.customStatus());
      case Op.Gate gate -> gate(gate);
      case Op.Guid() -> {
        UUID guid = ctx.newGuid();
        note("guid of version " + guid.version());
      }
      case Op.Now() -> {
        Instant now = ctx.utcNow();
        note(now.isAfter(Instant.EPOCH));
      }
      case Op.Identity() -> {
        note(ctx.instanceId() + "#" + ctx.executionId());
        note(ctx.orchestrationName() + "@" + ctx.orchestrationVersion());
        note(ctx.converter().encode(new Amount(1)));
      }
      case Op.Log(String text) -> {
        if (!ctx.isReplaying()) {
          ctx.log().debug(text);
        }
      }
      case Op.EndWhenRead() -> {
        ctx.endWhenRead(EventQueue.of("nobody", String.class));
        ctx.endWhenRead("no one");
      }
      case Op.Detach(String name, Program program, boolean typed) ->
          detach(Labels.instance(ctx.instanceId(), name), program, typed);
      case Op.ReadOther(String child, String key) ->
          note(tasks.readOther(Labels.instance(ctx.instanceId(), child), key).await());
      case Op.PruneHistory(int keepLast) -> {
        PrunedHistory pruned = ctx.pruneHistory(Retention.keepLast(keepLast));
        note("pruned " + (pruned.executionsDeleted() >= 0));
      }
      default -> value(op);
    }
  }

  private void value(Op op) {
    switch (op) {
      case Op.Put(String key, int units) -> ctx.kv().put(key, new Amount(units));
      case Op.PutText(String key, String text) -> ctx.kv().putText(key, text);
      case Op.Get(String key) -> note(ctx.kv().get(key, Amount.class).map(Amount::units));
      case Op.GetText(String key) -> note(ctx.kv().getText(key));
      case Op.GetWrong(String key) -> getWrong(key);
      case Op.GetAll() -> {
        note(ctx.kv().all());
        note(ctx.kv().keys());
        note(ctx.kv().size());
      }
      case Op.Clear(String key) -> ctx.kv().clear(key);
      case Op.ClearAll() -> ctx.kv().clearAll();
      case Op.PruneValues(boolean all) ->
          note(ctx.kv().pruneUpdatedBefore(all ? Instant.MAX : Instant.EPOCH));
      default -> throw new IllegalArgumentException("no operation of a frame: " + op);
    }
  }

  private List<DurableFuture<String>> futures(List<Integer> chosen) {
    return chosen.stream().filter(slots::containsKey).map(slots::get).toList();
  }

  private void awaitFor(@Nullable DurableFuture<String> future, boolean enough) {
    if (future == null) {
      note("-");
      return;
    }
    note(
        switch (future.await(enough ? FAR : NEAR)) {
          case Awaited.Got<String>(String value) -> value;
          case Awaited.TimedOut<String> ignored -> "timed out";
        });
  }

  private void join(List<DurableFuture<String>> futures, boolean typed) {
    List<Outcome<String>> outcomes;
    if (typed && futures.size() == 2) {
      Joined<String, String> both = ctx.join(futures.get(0), futures.get(1));
      outcomes = List.of(both.first(), both.second());
    } else if (typed && futures.size() == 3) {
      Joined3<String, String, String> all =
          ctx.join(futures.get(0), futures.get(1), futures.get(2));
      outcomes = List.of(all.first(), all.second(), all.third());
    } else {
      outcomes = ctx.join(futures);
    }
    outcomes.forEach(outcome -> note(Failures.outcome(outcome)));
  }

  private void select(List<DurableFuture<String>> futures, boolean typed) {
    if (futures.isEmpty()) {
      note("-");
    } else if (typed && futures.size() == 2) {
      note(
          switch (ctx.select(futures.get(0), futures.get(1))) {
            case Choice.First<String, String>(String value) -> "0 " + value;
            case Choice.Second<String, String>(String value) -> "1 " + value;
          });
    } else if (typed && futures.size() == 3) {
      note(
          switch (ctx.select(futures.get(0), futures.get(1), futures.get(2))) {
            case Choice3.First<String, String, String>(String value) -> "0 " + value;
            case Choice3.Second<String, String, String>(String value) -> "1 " + value;
            case Choice3.Third<String, String, String>(String value) -> "2 " + value;
          });
    } else {
      Selected<String> winner = ctx.select(futures);
      note(winner.index() + " " + Failures.outcome(winner.outcome()));
    }
  }

  private void race(List<Task> all) {
    String key = Labels.CHOICE + labels.next();
    List<DurableFuture<String>> futures = all.stream().map(tasks::start).toList();
    Selected<String> winner = ctx.select(futures);
    ctx.kv().putText(key, Integer.toString(winner.index()));
    note(winner.index() + " " + winner.value());
  }

  private void map(Op.MapAll map) {
    String label = labels.next();
    List<Integer> elements = IntStream.range(0, map.elements()).boxed().toList();
    note(
        ctx.map(
            elements,
            map.parallelism(),
            (branch, element) -> {
              String text = label + "/" + element;
              return element == map.failing()
                  ? branch
                      .call(
                          ProgramActivities.BROKEN,
                          new ProgramActivities.Wrong(text, Failing.DELIBERATE))
                      .await()
                  : branch.call(ProgramActivities.ECHO, text).await();
            }));
  }

  private void scope(List<Task> owned, List<Op> body) throws Exception {
    try (CancellationScope scope = ctx.cancellationScope()) {
      owned.forEach(task -> scope.own(tasks.start(task)));
      all(body);
    }
  }

  private void saga(Op.SagaBlock block) {
    String label = labels.next();
    try (Saga saga = ctx.saga()) {
      for (int i = 0; i < block.steps().size(); i++) {
        String step = label + "/" + i;
        note(ctx.call(ProgramActivities.ECHO, step).await());
        undoLater(saga, block.steps().get(i), step, Labels.UNDO + label);
      }
      switch (block.end()) {
        case COMMIT -> saga.commit();
        case LEAVE -> {}
        case THROW -> throw new OrchestrationFailure(label + " is left");
      }
    }
  }

  private void undoLater(Saga saga, Op.SagaStep how, String step, String trail) {
    if (how.byCode()) {
      saga.undo(branch -> {
        branch.call(ProgramActivities.ECHO, step + " undone").await();
        branch.kv().putText(trail, branch.kv().getText(trail).orElse("") + step + ",");
        if (how.undoFails()) {
          throw new OrchestrationFailure(step + " is not undone");
        }
        return step;
      });
    } else {
      saga.undo(ProgramActivities.UNDO, new ProgramActivities.Undo(step, how.undoFails()));
    }
  }

  private void attempt(List<Op> body) throws Exception {
    try {
      all(body);
    } catch (RuntimeException e) {
      note(Failures.text(e));
    }
  }

  private void gate(Op.Gate gate) {
    ctx.setCustomStatus(ClientScript.statusAt(gate.position(), ""));
    List<DurableFuture<String>> events = new ArrayList<>();
    for (int i = 0; i < gate.events(); i++) {
      String name = Labels.gate(gate.position(), i);
      events.add(
          gate.typed()
              ? ctx.waitFor(ExternalEvent.of(name, Amount.class)).map(Amount::toString)
              : ctx.waitForEvent(name));
    }
    note(ctx.all(events));
  }

  private void getWrong(String key) {
    try {
      note(ctx.kv().get(key, new TypeRef<List<Integer>>() {}));
    } catch (DataConversionException e) {
      note("no list: " + key);
    }
  }

  private void detach(String instance, Program program, boolean typed) {
    if (typed) {
      ctx.startDetached(ProgramCode.PROGRAM, instance, program);
    } else {
      ctx.startDetached(
          ProgramCode.PROGRAM.name(),
          program.toJson(),
          ChildOptions.instanceId(instance).withVersion(program.version()));
    }
  }
}
