package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceTransfer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes instances out of the schema and puts others in. Thread-safe. */
record PostgresTransfer(Store store, Rooms rooms) implements InstanceTransfer {

  @Override
  public List<String> listIds(@Nullable String after, int limit) {
    return store.read("listIds", sql -> new Export(sql).ids(after, limit));
  }

  @Override
  public Optional<InstanceSnapshot> readInstance(String instance) {
    return store.change(
        "readInstance", sql -> Optional.ofNullable(new Export(sql).instance(instance)));
  }

  @Override
  public List<EventRow> readEvents(ExecutionKey execution, long after, int limit) {
    return store.read("readEvents", sql -> new Export(sql).events(execution, after, limit));
  }

  @Override
  public boolean writeInstance(InstanceSnapshot instance, EventSource events) {
    boolean written =
        store.change(Import.OPERATION, new Import(store.clock(), instance, events)::run);
    if (written && !instance.inbox().messages().isEmpty()) {
      rooms.wakeForTurn();
    }
    if (written && !instance.activities().isEmpty()) {
      rooms.wakeForWork();
    }
    return written;
  }
}
