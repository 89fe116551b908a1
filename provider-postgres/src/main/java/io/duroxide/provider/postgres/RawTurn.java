package io.duroxide.provider.postgres;

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
 * A locked instance as it was read; the caller decodes it, so that lanes need not.
 *
 * @param lastEvent the newest event of the execution
 * @param recorded name and version; null if nothing is recorded
 * @param past what is recorded; null if it was left out
 */
record RawTurn(
    Tokens.Turn lock,
    ExecutionKey execution,
    long lastEvent,
    @Nullable OrchestrationIdentity recorded,
    List<Message> messages,
    @Nullable Past past) {
  private static final String UNKNOWN = "unknown";
  private static final int FIRST_START_KIND = 2;

  /**
   * A message of the batch.
   *
   * @param attempts how often it was fetched before
   * @param name the orchestration that a start begins
   * @param version of that orchestration
   */
  record Message(
      long seq,
      int kind,
      int attempts,
      String payload,
      @Nullable String name,
      @Nullable String version) {
    boolean isStart() {
      return kind >= FIRST_START_KIND;
    }
  }

  /**
   * What is recorded of an execution.
   *
   * @param after events up to this id were left out
   * @param values the values it began with
   */
  record Past(long after, List<StoredEvent> events, Map<String, KvEntry> values) {
    static final Past NONE = new Past(0, List.of(), Map.of());

    /** Without events up to {@code id}. */
    Past after(long id) {
      return new Past(id, events.stream().filter(event -> event.id() > id).toList(), Map.of());
    }

    StoredHistory decoded() {
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
  }

  LockedOrchestration decoded(Past known) {
    StoredHistory history = known.decoded();
    OrchestrationIdentity identity = identity();
    OrchestrationItem item =
        new OrchestrationItem(
            execution,
            identity.name(),
            identity.version(),
            history,
            batch(),
            history.error() == null ? known.values() : Map.of());
    return new LockedOrchestration(item, lock.text(), attempts());
  }

  /** The largest attempt count of the batch, this fetch included. */
  private int attempts() {
    return messages.stream().mapToInt(Message::attempts).max().orElse(0) + 1;
  }

  /** Name and version as recorded, else as the start says, wherever it stands in the batch. */
  private OrchestrationIdentity identity() {
    if (recorded != null) {
      return recorded;
    }
    for (Message message : messages) {
      if (message.isStart() && message.name() != null) {
        String version = message.version();
        return new OrchestrationIdentity(message.name(), version == null ? UNKNOWN : version);
      }
    }
    return new OrchestrationIdentity(UNKNOWN, UNKNOWN);
  }

  private MessageBatch batch() {
    List<WorkItem> items = new ArrayList<>(messages.size());
    List<String> errors = new ArrayList<>();
    for (Message message : messages) {
      try {
        items.add(WorkItemCodec.decode(message.payload()));
      } catch (DecodeException damage) {
        errors.add("message " + message.seq() + ": " + damage.getMessage());
      }
    }
    return new MessageBatch(items, errors.isEmpty() ? null : String.join("; ", errors));
  }
}
