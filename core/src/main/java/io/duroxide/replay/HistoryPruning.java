package io.duroxide.replay;

import io.duroxide.model.EventKind;
import io.duroxide.model.Retention;

/** Deletes past executions for code that asks for it, in the middle of its turn. */
@FunctionalInterface
public interface HistoryPruning {
  /** For engines without a store. */
  HistoryPruning NONE =
      (setup, retention) ->
          new EventKind.HistoryPruned(0, 0, null, null, "there is no store to prune");

  /** Returns what is recorded; never throws. Doing it twice is the same as doing it once. */
  EventKind.HistoryPruned prune(ExecutionSetup setup, Retention retention);
}
