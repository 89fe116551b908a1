package io.duroxide.proof.check;

import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** One line of a ledger. Times are milliseconds of the machine's clock. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "is")
public sealed interface Entry {
  long at();

  /** A process began to write to this ledger. */
  record Life(String process, long at) implements Entry {}

  /**
   * A client is about to make a call.
   *
   * @param id different for each call of a ledger
   * @param step names what the call is for; a step that had no answer is made again
   * @param limit after how many milliseconds the call must have returned; 0 for no wait
   */
  record Intent(String id, Step step, Call call, long limit, long at) implements Entry {}

  /** What a call is for: the same for each repetition. */
  record Step(String instance, String name) {}

  /**
   * What was called.
   *
   * @param subject queue, event, or empty
   * @param text what was sent
   */
  record Call(Deed deed, String subject, String text) {}

  /** The kinds of calls. */
  enum Deed {
    START,
    START_AND_SEND,
    START_NEW,
    RESTART,
    SEND,
    RAISE,
    CANCEL,
    DELETE,
    PRUNE,
    WAIT
  }

  /** What came of the call. */
  record Answer(String id, Result result, String detail, long at) implements Entry {}

  /** What a client knows after a call. */
  enum Result {
    /** It happened. */
    DONE,
    /** It did not happen and never will. */
    REFUSED,
    /** It may have happened. */
    UNKNOWN
  }

  /**
   * The process did not get to run.
   *
   * @param millis for how long
   * @param at when it ran again
   */
  record Stall(long millis, long at) implements Entry {}

  /** An activity began. */
  record Began(String node, Work work, String session, long at) implements Entry {}

  /** It returned or threw. */
  record Ended(String node, Work work, String outcome, long at) implements Entry {}

  /**
   * A turn was stored although its lock had ended before it was sent.
   *
   * @param late how many milliseconds before
   */
  record Overdue(String node, String token, long late, long at) implements Entry {}

  /** An activity of an execution, and which attempt it is. */
  record Work(String instance, long execution, long activity, int attempt) {}
}
