package io.duroxide.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message of one of the two queues. */
public sealed interface WorkItem {

  /** The instance whose queue it belongs to. */
  String instance();

  /** A message that can cause a turn of {@link #instance()}. */
  sealed interface ForOrchestrator extends WorkItem {}

  /** Begins an execution. */
  sealed interface StartLike extends ForOrchestrator {
    String orchestration();

    String input();

    @Nullable String version();

    @Nullable ParentLink parent();
  }

  /**
   * Starts an instance.
   *
   * @param detached whether an orchestration asked for it without waiting for it
   */
  record StartOrchestration(
      String instance,
      String orchestration,
      String input,
      @Nullable String version,
      @Nullable ParentLink parent,
      @Nullable AutoPrune autoPrune,
      boolean detached)
      implements StartLike {
    public StartOrchestration {
      Objects.requireNonNull(instance, "instance");
      Objects.requireNonNull(orchestration, "orchestration");
      Objects.requireNonNull(input, "input");
    }

    /** Without a word about automatic pruning. */
    public StartOrchestration(
        String instance,
        String orchestration,
        String input,
        @Nullable String version,
        @Nullable ParentLink parent) {
      this(instance, orchestration, input, version, parent, null, false);
    }

    /** By a client. */
    public static StartOrchestration byClient(
        String instance,
        String orchestration,
        String input,
        @Nullable String version,
        @Nullable AutoPrune autoPrune) {
      return new StartOrchestration(
          instance, orchestration, input, version, null, autoPrune, false);
    }

    /** By an orchestration that does not wait for it. */
    public static StartOrchestration detached(
        String instance, String orchestration, String input, @Nullable String version) {
      return new StartOrchestration(instance, orchestration, input, version, null, null, true);
    }
  }

  /**
   * Starts the next execution of an instance.
   *
   * @param prune which past executions to keep; absent if the code did not say
   */
  record ContinueAsNew(
      String instance,
      String orchestration,
      String input,
      @Nullable String version,
      @Nullable ParentLink parent,
      Inheritance inheritance,
      @Nullable Retention prune)
      implements StartLike {
    public ContinueAsNew {
      Objects.requireNonNull(inheritance, "inheritance");
    }
  }

  /** The outcome of something one execution scheduled. */
  sealed interface Outcome extends ForOrchestrator {
    /** The execution that scheduled it. */
    long executionId();

    /** The id of the schedule event. */
    long id();
  }

  /**
   * An activity's result.
   *
   * @param attempt the run that brought it; absent if it did not come from a worker
   */
  record ActivityCompleted(
      String instance, long executionId, long id, String result, @Nullable ActivityAttempt attempt)
      implements Outcome {
    /** Without a run. */
    public ActivityCompleted(String instance, long executionId, long id, String result) {
      this(instance, executionId, id, result, null);
    }
  }

  /**
   * An activity's failure.
   *
   * @param attempt the run that failed; absent if there was none, as for a poisoned activity
   */
  record ActivityFailed(
      String instance,
      long executionId,
      long id,
      ErrorDetails details,
      @Nullable ActivityAttempt attempt)
      implements Outcome {
    /** Without a run. */
    public ActivityFailed(String instance, long executionId, long id, ErrorDetails details) {
      this(instance, executionId, id, details, null);
    }
  }

  /** Invisible until {@code fireAt}. */
  record TimerFired(String instance, long executionId, long id, Instant fireAt)
      implements Outcome {}

  /** A child's result, routed to the parent. */
  record SubOrchCompleted(String instance, long executionId, long id, String result)
      implements Outcome {}

  /** A child's failure, routed to the parent. */
  record SubOrchFailed(String instance, long executionId, long id, ErrorDetails details)
      implements Outcome {}

  /** A positional event. */
  record ExternalRaised(String instance, String name, String data) implements ForOrchestrator {}

  /** A message for a queue of the instance. */
  record QueueMessage(String instance, String name, String data) implements ForOrchestrator {}

  /**
   * Asks an instance to stop.
   *
   * @param parent set when a parent sends it; ignored unless it matches the recorded link
   */
  record CancelInstance(String instance, String reason, @Nullable ParentLink parent)
      implements ForOrchestrator {}

  /**
   * Asks a worker to run an activity.
   *
   * @param origin name and version of the orchestration that asked
   */
  record ActivityExecute(
      ActivityKey key, String name, String input, ActivityRouting routing, ActivityOrigin origin)
      implements WorkItem {
    @Override
    public String instance() {
      return key.instance();
    }
  }
}
