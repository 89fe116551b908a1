package io.duroxide.runtime;

import io.duroxide.model.WorkItem;
import java.util.ArrayList;
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

  /** The same with messages of these queues before all others. */
  Arrivals withMailFirst(List<String> queues) {
    List<WorkItem> ordered = new ArrayList<>(messages.size());
    List<WorkItem> others = new ArrayList<>(messages.size());
    for (WorkItem message : messages) {
      boolean isMail =
          message instanceof WorkItem.QueueMessage mail && queues.contains(mail.name());
      (isMail ? ordered : others).add(message);
    }
    ordered.addAll(others);
    return new Arrivals(ordered, answers);
  }
}
