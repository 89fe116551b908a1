package io.duroxide.api;

import io.duroxide.model.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;

/**
 * Everything orchestration code may do.
 *
 * <p>Scheduling is eager: work is requested by the call, not by the await. The order of calls is
 * what replay compares with history, so code must be deterministic: no clock, no randomness, no
 * I/O, no other threads; take time and ids from here. To be used on the orchestration's own thread.
 */
public interface OrchestrationContext {

  // Identity

  String instanceId();

  /** 1 for the first execution, one more after each continue-as-new. */
  long executionId();

  String orchestrationName();

  String orchestrationVersion();

  /** Whether this code is being re-run; only for suppressing diagnostics. */
  boolean isReplaying();

  /** Logs with instance, execution and orchestration as fields; silent while replaying. */
  Logger log();

  /** The converter of typed calls. */
  DataConverter converter();

  // Activities

  /** Schedules an activity with the options of its handle. */
  default <I, O> DurableFuture<O> call(Activity<I, O> activity, I input) {
    return call(activity, input, activity.options());
  }

  /** Schedules an activity. */
  default <I, O> DurableFuture<O> call(Activity<I, O> activity, I input, ActivityOptions options) {
    return callActivity(activity.name(), Payloads.encode(this, input), options)
        .map(text -> converter().decode(text, activity.output()));
  }

  /** Schedules an activity by name with text as input and result. */
  default DurableFuture<String> callActivity(String name, String input) {
    return callActivity(name, input, ActivityOptions.options());
  }

  /** Schedules an activity by name with text as input and result. */
  DurableFuture<String> callActivity(String name, String input, ActivityOptions options);

  // Time and identifiers

  /** A durable timer; its result is the time it was due. */
  DurableFuture<Instant> timer(Duration delay);

  /** The current time, recorded, so that it is the same on replay. */
  Instant utcNow();

  /** A random id, recorded, so that it is the same on replay. */
  UUID newGuid();

  // Events and queues

  /** Waits for the next positional event of this name. */
  default <T> DurableFuture<T> waitFor(ExternalEvent<T> event) {
    return waitForEvent(event.name()).map(text -> converter().decode(text, event.type()));
  }

  /** Waits for the next positional event of this name, as text. */
  DurableFuture<String> waitForEvent(String name);

  /** Takes the next message of a mailbox. */
  default <T> DurableFuture<T> dequeue(EventQueue<T> queue) {
    return dequeueEvent(queue.name()).map(text -> converter().decode(text, queue.type()));
  }

  /** Takes the next message of a mailbox, as text. */
  DurableFuture<String> dequeueEvent(String queue);

  /**
   * Lets this execution complete only when these mailboxes are empty, from here to its end. If a
   * message comes while the last turn is computed or committed, the store refuses the end, and the
   * turn is taken again with it. A message that came by then is delivered before anything else that
   * came with it, also before a timer that was due earlier; whoever waits for a message with a time
   * limit gets it. Messages that the code has had at hand and did not read do not hold up its end.
   */
  default void endWhenRead(EventQueue<?>... queues) {
    for (EventQueue<?> queue : queues) {
      endWhenRead(queue.name());
    }
  }

  /** As {@link #endWhenRead(EventQueue[])}, by name. */
  void endWhenRead(String queue);

  // Other orchestrations

  /** Starts a child with a generated id. */
  default <I, O> DurableFuture<O> call(Orchestration<I, O> child, I input) {
    return call(child, input, ChildOptions.defaults());
  }

  /** Starts a child. */
  default <I, O> DurableFuture<O> call(Orchestration<I, O> child, I input, ChildOptions options) {
    return callOrchestration(child.name(), Payloads.encode(this, input), options)
        .map(text -> converter().decode(text, child.output()));
  }

  /** Starts a child by name with text as input and result. */
  DurableFuture<String> callOrchestration(String name, String input, ChildOptions options);

  /** Starts an independent instance; does nothing if the id exists. */
  default <I> void startDetached(Orchestration<I, ?> target, String instanceId, I input) {
    startDetached(target.name(), Payloads.encode(this, input), ChildOptions.instanceId(instanceId));
  }

  /**
   * Starts an independent instance by name.
   *
   * @param options must name the instance id
   */
  void startDetached(String name, String input, ChildOptions options);

  /** Reads a committed value of another instance's key-value store. */
  DurableFuture<Optional<String>> readKv(String instanceId, String key);

  // Composition

  /** Runs code beside the caller's; it starts at once and runs until it first waits. */
  <T> DurableFuture<T> async(Branch<T> branch);

  /** Waits for all; never short-circuits; outcomes in argument order. */
  <T> List<Outcome<T>> join(List<? extends DurableFuture<? extends T>> futures);

  /** Waits for both. */
  default <A, B> Joined<A, B> join(DurableFuture<A> first, DurableFuture<B> second) {
    List<Outcome<Object>> all = join(List.of(first, second));
    return new Joined<>(Payloads.narrow(all.get(0)), Payloads.narrow(all.get(1)));
  }

  /** Waits for all three. */
  default <A, B, C> Joined3<A, B, C> join(
      DurableFuture<A> first, DurableFuture<B> second, DurableFuture<C> third) {
    List<Outcome<Object>> all = join(List.of(first, second, third));
    return new Joined3<>(
        Payloads.narrow(all.get(0)), Payloads.narrow(all.get(1)), Payloads.narrow(all.get(2)));
  }

  /** Waits for all; results in argument order, or the first failure in argument order. */
  default <T> List<T> all(List<? extends DurableFuture<? extends T>> futures) {
    List<T> values = new ArrayList<>(futures.size());
    for (Outcome<T> outcome : this.<T>join(futures)) {
      values.add(outcome.value());
    }
    return values;
  }

  /**
   * Waits for the first; the others are given up. First is what stands first in history, also if
   * several are ready when this is called; of those that one event made ready, the lowest index.
   */
  <T> Selected<T> select(List<? extends DurableFuture<? extends T>> futures);

  /** Waits for the first of two; the other is given up. Throws if the winner failed. */
  default <A, B> Choice<A, B> select(DurableFuture<A> first, DurableFuture<B> second) {
    Selected<Object> winner = select(List.of(first, second));
    return winner.index() == 0
        ? new Choice.First<>(Payloads.narrow(winner.value()))
        : new Choice.Second<>(Payloads.narrow(winner.value()));
  }

  /** Waits for the first of three; the others are given up. Throws if the winner failed. */
  default <A, B, C> Choice3<A, B, C> select(
      DurableFuture<A> first, DurableFuture<B> second, DurableFuture<C> third) {
    Selected<Object> winner = select(List.of(first, second, third));
    return switch (winner.index()) {
      case 0 -> new Choice3.First<>(Payloads.narrow(winner.value()));
      case 1 -> new Choice3.Second<>(Payloads.narrow(winner.value()));
      default -> new Choice3.Third<>(Payloads.narrow(winner.value()));
    };
  }

  /** Applies {@code function} to each element, at most {@code parallelism} at a time. */
  default <T, R> List<R> map(List<T> elements, int parallelism, BranchFunction<T, R> function) {
    return new BoundedMap<>(this, elements, function).run(parallelism);
  }

  /** A unit of steps that are undone together unless committed. */
  default Saga saga() {
    return new Saga(this);
  }

  /** Gives up, when closed, the futures it owns. */
  default CancellationScope cancellationScope() {
    return new CancellationScope();
  }

  // State

  /** The durable map of this instance. */
  KeyValueStore kv();

  /** Text that clients see beside the status; survives continue-as-new. */
  void setCustomStatus(String status);

  void resetCustomStatus();

  Optional<String> customStatus();

  /**
   * Deletes past executions of this instance that {@code retention} does not keep, now. It never
   * fails the orchestration: what went wrong is in the answer. A replay gets the recorded answer
   * and deletes nothing. Called before its first await, an execution is not stored yet, so the one
   * before it stays in any case.
   */
  PrunedHistory pruneHistory(Retention retention);

  // Ending

  /** Ends this execution and starts the next one with a fresh history. Never returns. */
  @SuppressWarnings("TypeParameterUnusedInFormals") // so that "return ctx.continueAsNew(x)" fits
  default <T> T continueAsNew(Object input) {
    return continueAsNew(input, ContinueOptions.defaults());
  }

  /** Ends this execution and starts the next one with a fresh history. Never returns. */
  @SuppressWarnings("TypeParameterUnusedInFormals") // so that "return ctx.continueAsNew(x)" fits
  <T> T continueAsNew(Object input, ContinueOptions options);
}
