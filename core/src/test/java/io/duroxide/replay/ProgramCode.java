package io.duroxide.replay;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Backoff;
import io.duroxide.api.CancellationScope;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.Outcome;
import io.duroxide.api.PrunedHistory;
import io.duroxide.api.RetryPolicy;
import io.duroxide.api.Selected;
import io.duroxide.model.Retention;
import io.duroxide.replay.Program.Op;
import io.duroxide.replay.Program.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link Program} as orchestration code. Its result is a transcript of all it observed; in
 * programs that are not calm each line also says how many lines of any branch came before.
 */
final class ProgramCode implements OrchestrationCode {
  private final Program program;
  private final boolean calm;
  private final List<String> traces = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<String> ghosts = new ArrayList<>();

  /** Code that is parked, and whether what it waits for is there. */
  private record Waiting(String what, Supplier<Boolean> ready) {}

  ProgramCode(Program program, boolean calm) {
    this.program = program;
    this.calm = calm;
  }

  /** What the code said while it was not replaying. */
  List<String> traces() {
    return List.copyOf(traces);
  }

  /** Code that is parked although what it waits for is there; empty between turns. */
  List<String> overslept() {
    return waiting.stream().filter(each -> each.ready.get()).map(Waiting::what).toList();
  }

  /** Branches that went on after they were given up; empty always. */
  List<String> ghosts() {
    return List.copyOf(ghosts);
  }

  @Override
  public String run(OrchestrationContext context, String input) throws Exception {
    waiting.clear();
    return new Run(context, input).root();
  }

  /** One evaluation of the program. */
  private final class Run {
    private final OrchestrationContext ctx;
    private final String input;
    private final Map<Integer, DurableFuture<String>> shared = new HashMap<>();
    private int lines;

    Run(OrchestrationContext ctx, String input) {
      this.ctx = ctx;
      this.input = input;
    }

    String root() throws Exception {
      return new Frame("r").run(program.steps());
    }

    /** The code of the root or of one branch. */
    private final class Frame {
      private final String path;
      private final Map<Integer, DurableFuture<String>> slots;
      private final List<DurableFuture<String>> branches = new ArrayList<>();
      private final List<CancellationScope> scopes = new ArrayList<>();
      private final List<String> transcript = new ArrayList<>();
      private @Nullable DurableFuture<String> self;
      private int started;

      Frame(String path) {
        this.path = path;
        this.slots = calm ? new HashMap<>() : shared;
      }

      String run(List<Step> steps) throws Exception {
        all(steps);
        return end(Program.How.RETURN);
      }

      private void all(List<Step> steps) throws Exception {
        for (Step step : steps) {
          if (self != null && self.isDone()) {
            ghosts.add(path + " " + step);
          }
          step(step);
        }
      }

      private void step(Step step) throws Exception {
        switch (step) {
          case Program.Start(int slot, Op op) -> {
            DurableFuture<String> future = own(start(op, path + "." + started++));
            slots.put(slot, future);
            if (runsBeside(op)) {
              branches.add(future);
            }
          }
          case Program.Await(int slot) -> await(slot);
          case Program.AwaitFor(int slot) -> awaitFor(slot);
          case Program.IsDone(int slot) ->
              note(slots.containsKey(slot) ? "done " + slots.get(slot).isDone() : "-");
          case Program.Cancel(int slot) -> {
            if (slots.containsKey(slot)) {
              slots.get(slot).cancel();
            }
          }
          case Program.Select(List<Integer> chosen) -> select(chosen);
          case Program.Join(List<Integer> chosen) -> join(chosen);
          case Program.Effect(Program.What what, int key) -> effect(what, key);
          case Program.Scope(List<Step> body) -> scope(body);
          case Program.Loop(int times, List<Step> body) -> {
            for (int i = 0; i < times; i++) {
              all(body);
            }
          }
          case Program.MapAll(int elements, int bound, Op op) -> map(elements, bound, op);
          case Program.End(Program.How how) -> end(how);
        }
      }

      private boolean runsBeside(Op op) {
        return switch (op) {
          case Program.Branch ignored -> true;
          case Program.Mapped(Op mapped) -> runsBeside(mapped);
          default -> false;
        };
      }

      private void note(String line) {
        transcript.add(calm ? line : line + "@" + lines++);
      }

      private DurableFuture<String> own(DurableFuture<String> future) {
        return scopes.isEmpty() ? future : scopes.getLast().own(future);
      }

      private DurableFuture<String> start(Op op, String label) {
        return switch (op) {
          case Program.Activity(boolean tagged) ->
              ctx.callActivity(
                  "A",
                  label,
                  tagged ? ActivityOptions.options().tag("t") : ActivityOptions.options());
          case Program.Retry retry ->
              ctx.callActivity("R", label, ActivityOptions.options().retry(policy(retry, label)));
          case Program.Timer() -> ctx.timer(delay(label)).map(at -> "fired");
          case Program.Wait(String name) -> ctx.waitForEvent(name);
          case Program.Dequeue(String queue) -> ctx.dequeueEvent(queue);
          case Program.Child(boolean named) ->
              ctx.callOrchestration(
                  "C",
                  label,
                  named ? ChildOptions.instanceId("c-" + label) : ChildOptions.defaults());
          case Program.ReadKv() -> ctx.readKv("other", label).map(Object::toString);
          case Program.Mapped(Op mapped) -> start(mapped, label).map(text -> "m(" + text + ")");
          case Program.Branch(List<Step> body) -> {
            Frame frame = new Frame(label);
            frame.self = ctx.async(b -> frame.run(body));
            yield frame.self;
          }
        };
      }

      /** Tells timers apart that are open at the same time. */
      private Duration delay(String label) {
        return Duration.ofMillis(1 + (label.hashCode() & 0xffffff));
      }

      private RetryPolicy policy(Program.Retry retry, String label) {
        Duration pause = retry.pause() ? delay(label) : Duration.ZERO;
        return new RetryPolicy(
            retry.attempts(),
            new Backoff.Fixed(pause),
            retry.limit() ? Duration.ofSeconds(1) : null);
      }

      private void await(int slot) {
        DurableFuture<String> future = slots.get(slot);
        note(future == null ? "-" : observe(future));
      }

      private String observe(DurableFuture<String> future) {
        Waiting parked = park("await", future::isDone);
        try {
          return future.await();
        } catch (RuntimeException e) {
          return "!" + e.getMessage();
        } finally {
          waiting.remove(parked);
        }
      }

      private Waiting park(String what, Supplier<Boolean> ready) {
        Waiting parked = new Waiting(path + " " + what, ready);
        waiting.add(parked);
        return parked;
      }

      private void awaitFor(int slot) {
        DurableFuture<String> future = slots.get(slot);
        if (future == null) {
          return;
        }
        Waiting parked = park("await with limit", future::isDone);
        try {
          note(future.await(Duration.ofSeconds(3)).toString());
        } catch (RuntimeException e) {
          note("!" + e.getMessage());
        } finally {
          waiting.remove(parked);
        }
      }

      private List<DurableFuture<String>> at(List<Integer> chosen) {
        return chosen.stream().filter(slots::containsKey).map(slots::get).toList();
      }

      private void select(List<Integer> chosen) {
        List<DurableFuture<String>> futures = at(chosen);
        if (futures.isEmpty()) {
          return;
        }
        Waiting parked = park("select", () -> futures.stream().anyMatch(DurableFuture::isDone));
        try {
          Selected<String> winner = ctx.select(futures);
          note("won " + winner.index() + " " + text(winner.outcome()));
        } finally {
          waiting.remove(parked);
        }
      }

      private void join(List<Integer> chosen) {
        List<DurableFuture<String>> futures = at(chosen);
        Waiting parked = park("join", () -> futures.stream().allMatch(DurableFuture::isDone));
        try {
          note("joined " + ctx.<String>join(futures).stream().map(this::text).toList());
        } finally {
          waiting.remove(parked);
        }
      }

      private String text(Outcome<String> outcome) {
        return switch (outcome) {
          case Outcome.Success<String>(String value) -> value;
          case Outcome.Failure<String>(RuntimeException failure) -> "!" + failure.getMessage();
        };
      }

      private void scope(List<Step> body) throws Exception {
        try (CancellationScope scope = ctx.cancellationScope()) {
          scopes.add(scope);
          all(body);
        } finally {
          scopes.removeLast();
        }
      }

      private void map(int elements, int bound, Op op) {
        String label = path + "." + started++;
        List<Integer> numbers = IntStream.range(0, elements).boxed().toList();
        try {
          note(
              ctx.map(numbers, bound, (b, number) -> observe(start(op, label + "#" + number)))
                  .toString());
        } catch (RuntimeException e) {
          note("!" + e.getMessage());
        }
      }

      private void effect(Program.What what, int number) {
        String key = calm ? path + number : "k" + number;
        switch (what) {
          case DETACH ->
              ctx.startDetached("D", path, ChildOptions.instanceId("d-" + path + number));
          case KV_SET -> ctx.kv().putText(key, path);
          case KV_BUMP -> ctx.kv().putText(key, ctx.kv().getText(key).orElse("") + "+");
          case KV_CLEAR -> ctx.kv().clear(key);
          case KV_CLEAR_ALL -> {
            if (!calm) {
              ctx.kv().clearAll();
            }
          }
          case KV_PRUNE -> {
            if (!calm) {
              note("pruned " + ctx.kv().pruneUpdatedBefore(Facts.NOON.plusSeconds(4)));
            }
          }
          case KV_READ -> note(calm ? ctx.kv().getText(key).toString() : ctx.kv().all().toString());
          case SET_STATUS -> ctx.setCustomStatus(path + lines);
          case RESET_STATUS -> ctx.resetCustomStatus();
          case READ_STATUS -> {
            if (!calm) {
              note("status " + ctx.customStatus());
            }
          }
          case GUID -> {
            String guid = ctx.newGuid().toString();
            note(calm ? "guid" : guid);
          }
          case NOW -> {
            Instant now = ctx.utcNow();
            note(calm ? "now" : now.toString());
          }
          case PRUNE -> {
            PrunedHistory pruned = ctx.pruneHistory(Retention.keepLast(2));
            note(calm ? "pruned" : pruned.toString());
          }
          case TRACE -> trace();
        }
      }

      private void trace() {
        if (!ctx.isReplaying()) {
          traces.add(ctx.executionId() + " " + path + " " + transcript);
        }
      }

      private String end(Program.How how) {
        if (calm) {
          branches.forEach(branch -> note(observe(branch)));
        }
        String text = String.join(";", transcript);
        return switch (how) {
          case RETURN -> text;
          case FAIL -> throw new OrchestrationFailure(text);
          case PANIC -> throw new IllegalStateException(text);
          case CONTINUE -> {
            int left = Integer.parseInt(input.substring(0, 1));
            yield left == 0 ? text : ctx.continueAsNew((left - 1) + text);
          }
        };
      }
    }
  }
}
