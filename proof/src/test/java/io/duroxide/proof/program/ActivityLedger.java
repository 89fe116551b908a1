package io.duroxide.proof.program;

import io.duroxide.api.ActivityContext;

/**
 * Where activities of programs write down that they ran. Both calls are made on the thread of the
 * activity; implementations are thread-safe.
 */
public interface ActivityLedger {
  /** Keeps nothing. */
  ActivityLedger NONE =
      new ActivityLedger() {
        @Override
        public void begin(ActivityContext context, String input) {}

        @Override
        public void end(ActivityContext context, String outcome) {}
      };

  /** An activity begins. */
  void begin(ActivityContext context, String input);

  /**
   * The same activity ends.
   *
   * @param outcome its result, or {@code !} and the text of its failure
   */
  void end(ActivityContext context, String outcome);
}
