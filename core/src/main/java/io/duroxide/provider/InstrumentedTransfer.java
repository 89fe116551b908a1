package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The copying half of an {@link InstrumentedAdmin}. Thread-safe. */
record InstrumentedTransfer(InstanceTransfer inner, OperationRecorder recorder)
    implements InstanceTransfer {

  @Override
  public List<String> listIds(@Nullable String after, int limit) {
    return recorder.items("listIds", List::size, () -> inner.listIds(after, limit));
  }

  @Override
  public Optional<InstanceSnapshot> readInstance(String instance) {
    return recorder.items(
        "readInstance", found -> found.isPresent() ? 1 : 0, () -> inner.readInstance(instance));
  }

  @Override
  public List<EventRow> readEvents(ExecutionKey execution, long after, int limit) {
    return recorder.items(
        "readEvents", List::size, () -> inner.readEvents(execution, after, limit));
  }

  @Override
  public boolean writeInstance(InstanceSnapshot instance, EventSource events) {
    return recorder.answer(
        "writeInstance", written -> written ? 1 : 0, () -> inner.writeInstance(instance, events));
  }
}
