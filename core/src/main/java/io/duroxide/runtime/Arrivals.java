package io.duroxide.runtime;

import io.duroxide.model.WorkItem;
import java.util.List;

/**
 * What came for an execution.
 *
 * @param messages for the code, carried ones first
 * @param answers owed to those whose starts could not start anything; sent with the commit that
 *     consumes them, however the turn ends
 */
record Arrivals(List<WorkItem> messages, List<WorkItem> answers) {
  Arrivals {
    messages = List.copyOf(messages);
    answers = List.copyOf(answers);
  }
}
