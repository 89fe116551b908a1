package io.duroxide.proof.program;

import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Backoff;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.RetryPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Starts the tasks of one frame. */
final class TaskCode {
  private static final ActivityOptions PATIENT = ActivityOptions.options().timeout(CodeFrame.FAR);

  private final OrchestrationContext ctx;
  private final Labels labels;

  TaskCode(OrchestrationContext ctx, Labels labels) {
    this.ctx = ctx;
    this.labels = labels;
  }

  DurableFuture<String> start(Task task) {
    String label = labels.next();
    return switch (task) {
      case Task.Echo(Task.Call call) -> echo(call, label);
      case Task.Flaky(int failures, int attempts, Task.Pause pause) ->
          ctx.call(
              ProgramActivities.FLAKY,
              new ProgramActivities.Tries(label, failures),
              ActivityOptions.options().retry(new RetryPolicy(attempts, backoff(pause), null)));
      case Task.Broken(Failing failing) ->
          ctx.call(ProgramActivities.BROKEN, new ProgramActivities.Wrong(label, failing));
      case Task.Slow(int millis) ->
          ctx.call(ProgramActivities.SLOW, new ProgramActivities.Nap(label, millis));
      case Task.Stay(boolean limited) ->
          limited
              ? ctx.call(
                  ProgramActivities.STAY, label, ActivityOptions.options().timeout(CodeFrame.NEAR))
              : ctx.call(ProgramActivities.STAY, label);
      case Task.Timer(int millis) -> ctx.timer(Duration.ofMillis(millis)).map(due -> "fired");
      case Task.FarTimer() -> ctx.timer(CodeFrame.FAR).map(due -> "fired");
      case Task.Dequeue(String queue, boolean typed) -> dequeue(queue, typed);
      case Task.Signalled(boolean typed) -> signalled(Labels.signal(label), label, typed);
      case Task.NeverEvent() -> ctx.waitForEvent(Interpreter.NEVER);
      case Task.NeverMail() -> ctx.dequeueEvent(Interpreter.NEVER);
      case Task.Child child -> child(child);
      case Task.Namesake(String name) ->
          ctx.callOrchestration(
              ProgramCode.PROGRAM.name(),
              label,
              ChildOptions.instanceId(Labels.instance(ctx.instanceId(), name)));
      case Task.ReadNothing() ->
          readOther(ctx.instanceId() + "/nobody", label).map(Object::toString);
      case Task.Branch(List<Op> body) ->
          ctx.async(branch -> {
            CodeFrame frame = new CodeFrame(branch, label);
            frame.all(body);
            return frame.text();
          });
      case Task.Mapped(Task mapped) -> start(mapped).map(text -> "<" + text + ">");
    };
  }

  /** Trouble of the store is told to the code, which asks again. */
  DurableFuture<Optional<String>> readOther(String instance, String key) {
    return ctx.async(branch -> {
      while (true) {
        try {
          return branch.readKv(instance, key).await();
        } catch (ActivityFailedException e) {
          branch.timer(CodeFrame.NEAR).await();
        }
      }
    });
  }

  private DurableFuture<String> echo(Task.Call call, String label) {
    String name = ProgramActivities.ECHO.name();
    return switch (call) {
      case TYPED -> ctx.call(ProgramActivities.ECHO, label);
      case OPTIONS -> ctx.call(ProgramActivities.ECHO, label, PATIENT);
      case NAMED -> ctx.callActivity(name, label);
      case TAGGED -> ctx.callActivity(name, label, ActivityOptions.options().tag(ProgramCode.TAG));
      case SESSION -> ctx.callActivity(name, label, ActivityOptions.options().session("session"));
    };
  }

  private static Backoff backoff(Task.Pause pause) {
    Duration base = Duration.ofMillis(1);
    return switch (pause) {
      case NONE -> new Backoff.None();
      case FIXED -> new Backoff.Fixed(base);
      case LINEAR -> new Backoff.Linear(base, Duration.ofMillis(3));
      case EXPONENTIAL -> new Backoff.Exponential(base, 2.0, Duration.ofMillis(4));
    };
  }

  /** Writes down what was read when it is read. */
  private DurableFuture<String> dequeue(String queue, boolean typed) {
    DurableFuture<String> message =
        typed ? ctx.dequeue(EventQueue.of(queue, String.class)) : ctx.dequeueEvent(queue);
    String key = Labels.READ + queue;
    return message.map(text -> {
      ctx.kv().putText(key, ctx.kv().getText(key).orElse("") + text + ",");
      return text;
    });
  }

  private DurableFuture<String> signalled(String event, String data, boolean typed) {
    return ctx.async(branch -> {
      DurableFuture<String> raised =
          typed
              ? branch.waitFor(ExternalEvent.of(event, String.class))
              : branch.waitForEvent(event);
      branch.call(ProgramActivities.SIGNAL, new ProgramActivities.Signal(event, data)).await();
      return raised.await();
    });
  }

  private DurableFuture<String> child(Task.Child child) {
    Program program = child.program();
    if (child.typed() && child.isPlain()) {
      return ctx.call(ProgramCode.PROGRAM, program);
    }
    String name = child.name();
    ChildOptions options =
        name == null
            ? ChildOptions.defaults()
            : ChildOptions.instanceId(Labels.instance(ctx.instanceId(), name));
    options = options.withVersion(program.version());
    return child.typed()
        ? ctx.call(ProgramCode.PROGRAM, program, options)
        : ctx.callOrchestration(ProgramCode.PROGRAM.name(), program.toJson(), options);
  }
}
