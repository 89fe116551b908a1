package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceTransfer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes instances out of the file and puts others in. Thread-safe. */
record SqliteTransfer(Writer writer, Readers readers) implements InstanceTransfer {

  @Override
  public List<String> listIds(@Nullable String after, int limit) {
    return readers.read("listIds", sql -> new Export(sql).ids(after, limit));
  }

  @Override
  public Optional<InstanceSnapshot> readInstance(String instance) {
    return readers.read(
        "readInstance", sql -> Optional.ofNullable(new Export(sql).instance(instance)));
  }

  @Override
  public List<EventRow> readEvents(ExecutionKey execution, long after, int limit) {
    return readers.read("readEvents", sql -> new Export(sql).events(execution, after, limit));
  }

  @Override
  public boolean writeInstance(InstanceSnapshot instance, EventSource events) {
    return writer.call(Import.OPERATION, new Import(instance, events));
  }
}
