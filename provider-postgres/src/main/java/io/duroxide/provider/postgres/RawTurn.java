package io.duroxide.provider.postgres;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DeliveryOrder;
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

  /**
   * A message of the batch.
   *
   * @param attempts how often it was fetched before
   * @param visibleAt when it turned visible; for a timer its fire time
   * @param name the orchestration that a start begins
   * @param version of that orchestration
   */
  record Message(
      long seq,
      int kind,
      int attempts,
      long visibleAt,
      String payload,
      @Nullable String name,
      @Nullable String version) {
    boolean isStart() {
      return NewMessage.isStart(kind);
    }

    DeliveryOrder.Place deliveryPlace() {
      return new DeliveryOrder.Place(visibleAt, kind == NewMessage.TIMER, seq);
    }
  }

  /**
   * What is recorded of an execution.
   *
   * @param after events up to this id were left out, and all values; 0 if everything is here
   * @param values the values it began with
   * @param failure why it could not be loaded; null if it was
   */
  record Past(
      long after,
      List<StoredEvent> events,
      Map<String, KvEntry> values,
      @Nullable Throwable failure) {
    static final Past NONE = new Past(0, List.of(), Map.of());

    Past(long after, List<StoredEvent> events, Map<String, KvEntry> values) {
      this(after, events, values, null);
    }

    static Past failed(Throwable failure) {
      return new Past(0, List.of(), Map.of(), failure);
    }

    /** Without events up to {@code id}. */
    Past after(long id) {
      return failure == null
          ? new Past(id, events.stream().filter(event -> event.id() > id).toList(), Map.of())
          : this;
    }

    StoredHistory decoded() {
      if (failure != null) {
        return StoredHistory.NotLoaded.after(failure);
      }
      try {
        return decodedEvents();
      } catch (OutOfMemoryError tooLarge) {
        return StoredHistory.NotLoaded.after(tooLarge);
      }
    }

    private StoredHistory decodedEvents() {
      List<Event> decoded = new ArrayList<>(events.size());
      for (StoredEvent event : events) {
        try {
          decoded.add(EventCodec.decode(event.data()));
        } catch (DecodeException damage) {
          return new StoredHistory.Unreadable(
              "event " + event.id() + " cannot be decoded: " + damage.getMessage());
        }
      }
      return after > 0
          ? new StoredHistory.Rest(after, decoded)
          : new StoredHistory.Whole(decoded, values);
    }
  }

  LockedOrchestration decoded(Past known) {
    OrchestrationIdentity identity = identity();
    OrchestrationItem item =
        new OrchestrationItem(
            execution, identity.name(), identity.version(), known.decoded(), batch());
    return new LockedOrchestration(item, lock.text(), attempts());
  }

  /** Whether an execution may begin with the batch. */
  boolean begins() {
    return messages.stream().anyMatch(Message::isStart);
  }

  /** The largest attempt count of the batch, this fetch included. */
  private int attempts() {
    return messages.stream().mapToInt(Message::attempts).max().orElse(0) + 1;
  }

  /**
   * Name and version as recorded, else as the start says, wherever it stands in the batch; a
   * restarted instance goes by its start.
   */
  private OrchestrationIdentity identity() {
    if (recorded != null && !(lastEvent == 0 && begins())) {
      return recorded;
    }
    for (Message message : messages) {
      if (message.isStart() && message.name() != null) {
        String version = message.version();
        return new OrchestrationIdentity(message.name(), version == null ? UNKNOWN : version);
      }
    }
    return recorded == null ? new OrchestrationIdentity(UNKNOWN, UNKNOWN) : recorded;
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
