package io.duroxide.proof.program;

import io.duroxide.api.OrchestrationFailure;
import java.util.List;
import java.util.Optional;

/** What {@link TaskCode} starts, in the model. */
final class ModelTasks {
  private static final String ACTIVITY = "activity";
  private static final String TIMER = "timer";

  private final ModelInstance instance;
  private final Labels labels;

  ModelTasks(ModelInstance instance, Labels labels) {
    this.instance = instance;
    this.labels = labels;
  }

  ModelFuture start(Task task) {
    String label = labels.next();
    return switch (task) {
      case Task.Echo(Task.Call call) ->
          // With a limit, a call is a loop of attempts, and that is a branch.
          ModelFuture.of(call == Task.Call.OPTIONS ? "branch" : ACTIVITY, () -> label);
      case Task.Flaky flaky -> flaky(flaky, label);
      case Task.Broken(Failing failing) ->
          ModelFuture.failing(
              ACTIVITY, ModelFailure.ofActivity(label + " is broken", thrownBy(failing)));
      case Task.Slow ignored -> ModelFuture.of(ACTIVITY, () -> label);
      case Task.Stay(boolean limited) ->
          limited
              ? ModelFuture.failing(
                  "branch", ModelFailure.ofActivity("timeout: activity timed out", null))
              : ModelFuture.never(ACTIVITY);
      case Task.Timer ignored -> ModelFuture.of(TIMER, () -> "fired");
      case Task.FarTimer() -> ModelFuture.never(TIMER);
      case Task.Dequeue(String queue, boolean ignored) ->
          ModelFuture.dequeue(instance.queue(queue), text -> read(queue, text));
      case Task.Signalled ignored -> ModelFuture.of("branch", () -> label);
      case Task.NeverEvent() -> ModelFuture.never("external wait");
      case Task.NeverMail() -> ModelFuture.never("dequeue");
      case Task.Child(String name, Program program, boolean ignored) ->
          instance.child(name, program);
      case Task.Namesake(String name) -> namesake(Labels.instance(instance.id(), name));
      case Task.ReadNothing() -> ModelFuture.of("branch", Optional.empty()::toString);
      case Task.Branch(List<Op> body) ->
          ModelFuture.branch(() -> {
            ModelFrame frame = new ModelFrame(instance, label);
            frame.all(body);
            return frame.text();
          });
      case Task.Mapped(Task mapped) -> start(mapped).map(text -> "<" + text + ">");
    };
  }

  private String read(String queue, String text) {
    instance.values().merge(Labels.READ + queue, text + ",", String::concat);
    return text;
  }

  private static ModelFuture flaky(Task.Flaky flaky, String label) {
    int needed = flaky.failures() + 1;
    return needed <= flaky.attempts()
        ? ModelFuture.of("branch", () -> ProgramActivities.flakyResult(label, needed))
        : ModelFuture.failing(
            "branch",
            ModelFailure.ofActivity(
                ProgramActivities.failure(label, flaky.attempts()), IllegalStateException.class));
  }

  private static Class<?> thrownBy(Failing failing) {
    return switch (failing) {
      case DELIBERATE -> OrchestrationFailure.class;
      case TYPED -> ProgramFailure.class;
      case PANIC -> IllegalStateException.class;
    };
  }

  private static ModelFuture namesake(String id) {
    return ModelFuture.failing(
        "sub-orchestration",
        ModelFailure.ofChild(
            "instance '"
                + id
                + "' already exists; choose another id for the child or let one be generated",
            null));
  }
}
