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
import org.jspecify.annotations.Nullable;

/**
 * A locked instance as it was read; the caller decodes it, so that the writer need not.
 *
 * @param after events up to this id were left out, and all values; 0 if everything is here
 * @param stored the events and values
 */
record RawTurn(
    Lock lock,
    ExecutionKey execution,
    OrchestrationIdentity orchestration,
    long after,
    Stored stored,
    List<StoredMessage> messages) {

  /**
   * What is stored of the execution.
   *
   * @param failure why it could not be loaded; null if it was
   */
  record Stored(
      List<StoredEvent> events, Map<String, KvEntry> values, @Nullable Throwable failure) {
    static Stored failed(Throwable failure) {
      return new Stored(List.of(), Map.of(), failure);
    }
  }

  /** The lock's token and how often the batch was fetched with it. */
  record Lock(String token, int attempts) {}

  LockedOrchestration decoded() {
    OrchestrationItem item =
        new OrchestrationItem(
            execution, orchestration.name(), orchestration.version(), history(), batch());
    return new LockedOrchestration(item, lock.token(), lock.attempts());
  }

  private StoredHistory history() {
    if (stored.failure() != null) {
      return StoredHistory.NotLoaded.after(stored.failure());
    }
    try {
      return decodedHistory();
    } catch (OutOfMemoryError tooLarge) {
      return StoredHistory.NotLoaded.after(tooLarge);
    }
  }

  private StoredHistory decodedHistory() {
    List<Event> decoded = new ArrayList<>(stored.events().size());
    for (StoredEvent event : stored.events()) {
      try {
        decoded.add(EventCodec.decode(event.data()));
      } catch (DecodeException damage) {
        return new StoredHistory.Unreadable(
            "event " + event.id() + " cannot be decoded: " + damage.getMessage());
      }
    }
    return after > 0
        ? new StoredHistory.Rest(after, decoded)
        : new StoredHistory.Whole(decoded, stored.values());
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
