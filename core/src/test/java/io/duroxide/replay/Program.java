package io.duroxide.replay;

import java.util.List;

/**
 * A random orchestration as data: what it does step by step. Futures are kept in numbered slots
 * that every branch can reach, so code can wait for, select over and give up each other's work.
 */
record Program(List<Step> steps) {

  sealed interface Step {}

  /** Schedules something without waiting for it. */
  record Start(int slot, Op op) implements Step {}

  record Await(int slot) implements Step {}

  /** Waits with a time limit. */
  record AwaitFor(int slot) implements Step {}

  record IsDone(int slot) implements Step {}

  record Cancel(int slot) implements Step {}

  record Select(List<Integer> slots) implements Step {}

  record Join(List<Integer> slots) implements Step {}

  /** What does not wait, or is answered inside the turn. */
  record Effect(What what, int key) implements Step {}

  /** Gives up at its end what its body started. */
  record Scope(List<Step> body) implements Step {}

  record Loop(int times, List<Step> body) implements Step {}

  record MapAll(int elements, int bound, Op op) implements Step {}

  record End(How how) implements Step {}

  enum What {
    DETACH,
    KV_SET,
    KV_BUMP,
    KV_CLEAR,
    KV_CLEAR_ALL,
    KV_PRUNE,
    KV_READ,
    SET_STATUS,
    RESET_STATUS,
    READ_STATUS,
    GUID,
    NOW,
    PRUNE,
    TRACE
  }

  enum How {
    RETURN,
    FAIL,
    PANIC,
    CONTINUE
  }

  /** What a slot can hold. */
  sealed interface Op {}

  record Activity(boolean tagged) implements Op {}

  record Retry(int attempts, boolean pause, boolean limit) implements Op {}

  record Timer() implements Op {}

  record Wait(String name) implements Op {}

  record Dequeue(String queue) implements Op {}

  record Child(boolean named) implements Op {}

  record ReadKv() implements Op {}

  record Mapped(Op op) implements Op {}

  record Branch(List<Step> body) implements Op {}

  /** One step on a line, bodies indented. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    print(steps, "  ", text);
    return text.toString();
  }

  private static void print(List<Step> steps, String indent, StringBuilder text) {
    for (Step step : steps) {
      text.append(indent);
      switch (step) {
        case Start(int slot, Branch(List<Step> body)) -> {
          text.append("Branch[slot=").append(slot).append("]\n");
          print(body, indent + "  ", text);
        }
        case Scope(List<Step> body) -> {
          text.append("Scope\n");
          print(body, indent + "  ", text);
        }
        case Loop(int times, List<Step> body) -> {
          text.append("Loop[times=").append(times).append("]\n");
          print(body, indent + "  ", text);
        }
        default -> text.append(step).append('\n');
      }
    }
  }
}
