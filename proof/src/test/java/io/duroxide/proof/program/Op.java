package io.duroxide.proof.program;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * A statement of a program. Futures are kept in numbered slots of the body that started them; a
 * branch has slots of its own. What an operation observes is noted, and the notes are the result.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
public sealed interface Op {

  /** Schedules something without waiting for it. */
  record Start(int slot, Task task) implements Op {}

  record Await(int slot) implements Op {}

  /** Waits with a limit that is either never reached or certainly reached. */
  record AwaitFor(int slot, boolean enough) implements Op {}

  record IsDone(int slot) implements Op {}

  record Cancel(int slot) implements Op {}

  /** Waits for all, noting each outcome; with a typed form for two and three. */
  record Join(List<Integer> slots, boolean typed) implements Op {}

  /** Waits for all; throws the first failure. */
  record All(List<Integer> slots) implements Op {}

  /** Waits for the first; only one of them can come. */
  record Select(List<Integer> slots, boolean typed) implements Op {}

  /** Waits for the first of tasks that may all come; notes in a value which one it was. */
  record Race(List<Task> tasks) implements Op {}

  /**
   * A bounded parallel map.
   *
   * @param failing the element that fails; none if it is no element
   */
  record MapAll(int elements, int parallelism, int failing) implements Op {}

  /** Owns tasks that nothing waits for while it runs its body. */
  record Scope(List<Task> owned, List<Op> body) implements Op {}

  record SagaBlock(List<SagaStep> steps, SagaEnd end) implements Op {}

  /** Runs its body and notes the failure that ends it. */
  record Attempt(List<Op> body) implements Op {}

  record Repeat(int times, List<Op> body) implements Op {}

  record Throw(Failing failing, String text) implements Op {}

  record Put(String key, int units) implements Op {}

  record PutText(String key, String text) implements Op {}

  /** Reads as it was put: a value or text. */
  record Get(String key) implements Op {}

  record GetText(String key) implements Op {}

  /** Reads text as a value of a generic type, which fails and is noted. */
  record GetWrong(String key) implements Op {}

  /** Notes all entries, keys and their number. */
  record GetAll() implements Op {}

  record Clear(String key) implements Op {}

  record ClearAll() implements Op {}

  /** Removes all values by their age, or none. */
  record PruneValues(boolean all) implements Op {}

  record SetStatus(int position, String text) implements Op {}

  record ResetStatus() implements Op {}

  record ReadStatus() implements Op {}

  /** Shows its position, then waits for events that a client raises when it sees that. */
  record Gate(int position, int events, boolean typed) implements Op {}

  record Guid() implements Op {}

  record Now() implements Op {}

  /** Notes who runs: instance, execution, name, version. */
  record Identity() implements Op {}

  record Log(String text) implements Op {}

  /** Ends only when a mailbox is empty to which nobody sends. */
  record EndWhenRead() implements Op {}

  /** Starts an instance that goes its own way. */
  record Detach(String name, Program program, boolean typed) implements Op {}

  /** Reads a value of a child that has ended. */
  record ReadOther(String child, String key) implements Op {}

  record PruneHistory(int keepLast) implements Op {}

  /**
   * A step of a saga.
   *
   * @param byCode whether its undo is code, which leaves a trail in a value, or an activity
   * @param undoFails whether its undo fails
   */
  record SagaStep(boolean byCode, boolean undoFails) {}

  /** How a saga is left. */
  enum SagaEnd {
    COMMIT,
    LEAVE,
    THROW
  }
}
