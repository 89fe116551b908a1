package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A locked instance as it was read; the caller decodes it, so that the writer need not.
 *
 * @param after events up to this id were left out
 */
record RawTurn(
    Lock lock,
    ExecutionKey execution,
    OrchestrationIdentity orchestration,
    long after,
    List<StoredEvent> events,
    List<StoredMessage> messages,
    Map<String, KvEntry> values) {

  /** The lock's token and how often the batch was fetched with it. */
  record Lock(String token, int attempts) {}

  LockedOrchestration decoded() {
    StoredHistory history = history();
    OrchestrationItem item =
        new OrchestrationItem(
            execution,
            orchestration.name(),
            orchestration.version(),
            history,
            batch(),
            history.error() == null ? values : Map.of());
    return new LockedOrchestration(item, lock.token(), lock.attempts());
  }

  private StoredHistory history() {
    List<Event> decoded = new ArrayList<>(events.size());
    for (StoredEvent event : events) {
      try {
        decoded.add(EventCodec.decode(event.data()));
      } catch (DecodeException damage) {
        return StoredHistory.unreadable(
            "event " + event.id() + " cannot be decoded: " + damage.getMessage());
      }
    }
    return new StoredHistory(after, decoded, null);
  }

  private MessageBatch batch() {
    List<WorkItem> items = new ArrayList<>(messages.size());
    List<String> errors = new ArrayList<>();
    for (StoredMessage message : messages) {
      try {
        items.add(WorkItemCodec.decode(message.payload()));
      } catch (DecodeException damage) {
        errors.add("message " + message.place().seq() + ": " + damage.getMessage());
      }
    }
    return new MessageBatch(items, errors.isEmpty() ? null : String.join("; ", errors));
  }
}
