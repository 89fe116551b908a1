package io.duroxide.proof.program;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a slot can hold. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
public sealed interface Task {

  /** An activity that gives its input back. */
  record Echo(Call call) implements Task {}

  /** How an activity is called. */
  enum Call {
    /** By its handle. */
    TYPED,
    /** By its handle, with options. */
    OPTIONS,
    /** By name. */
    NAMED,
    /** By name, on workers that serve a tag. */
    TAGGED,
    /** By name, on the worker that owns a session. */
    SESSION
  }

  /** An activity that fails so often, then succeeds, tried so often. */
  record Flaky(int failures, int attempts, Pause pause) implements Task {}

  /** What the pause between attempts looks like. */
  enum Pause {
    NONE,
    FIXED,
    LINEAR,
    EXPONENTIAL
  }

  /** An activity that fails. */
  record Broken(Failing failing) implements Task {}

  /** An activity that takes some time. */
  record Slow(int millis) implements Task {}

  /**
   * An activity that ends only when it is cancelled.
   *
   * @param limited whether the call has a time limit, which ends it
   */
  record Stay(boolean limited) implements Task {}

  record Timer(int millis) implements Task {}

  /** A timer for a time that no test sees. */
  record FarTimer() implements Task {}

  record Dequeue(String queue, boolean typed) implements Task {}

  /** Waits for an event that an activity raises as soon as the wait is recorded. */
  record Signalled(boolean typed) implements Task {}

  /** Waits for an event that never comes. */
  record NeverEvent() implements Task {}

  /** Reads a mailbox that never gets a message. */
  record NeverMail() implements Task {}

  /**
   * A child.
   *
   * @param name the end of its id; null for a generated one
   */
  record Child(@Nullable String name, Program program, boolean typed) implements Task {
    /** Whether its start needs no options. */
    @JsonIgnore
    boolean isPlain() {
      return name == null && program.version() == null;
    }
  }

  /** A child under the id of another one, which fails. */
  record Namesake(String name) implements Task {}

  /** Reads a value of an instance that does not exist. */
  record ReadNothing() implements Task {}

  /** Code beside the rest, with slots and notes of its own. */
  record Branch(List<Op> body) implements Task {}

  /** A view of another task. */
  record Mapped(Task task) implements Task {}
}
