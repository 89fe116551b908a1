package io.duroxide.runtime;

import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;

/**
 * Uses the classes that read and write stored data before a node needs them. The JVM prepares a
 * class when it is first used, and if memory is short just then, never again.
 */
final class FirstUse {
  private FirstUse() {}

  static void prepare(EventStamp stamp) {
    ExecutionKey key = new ExecutionKey("first-use", ExecutionKey.FIRST);
    Event event = new Event(key, 1, null, stamp, new EventKind.OrchestrationCompleted(""));
    WorkItem message = new WorkItem.ExternalRaised(key.instance(), "first-use", "");
    if (!EventCodec.decode(EventCodec.encode(event)).kind().equals(event.kind())
        || !WorkItemCodec.decode(WorkItemCodec.encode(message)).equals(message)) {
      throw new IllegalStateException("what was written cannot be read again");
    }
  }
}
