package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;

/**
 * The events of an execution that a snapshot tells of, page by page; later ones are left out.
 *
 * <p>A walk ends with {@code CONTENTION} if some of them are gone by now.
 *
 * @param source where they are read
 */
public record EventPages(
    ExecutionKey key, ExecutionRow execution, InstanceTransfer.EventSource source)
    implements Iterable<List<EventRow>> {
  private static final int PAGE = 256;

  public EventPages {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(execution, "execution");
    Objects.requireNonNull(source, "source");
  }

  @Override
  public Iterator<List<EventRow>> iterator() {
    return new Walk();
  }

  private final class Walk implements Iterator<List<EventRow>> {
    private long last;
    private long left = execution.info().eventCount();

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public List<EventRow> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      List<EventRow> page = source.readEvents(key, last, (int) Math.min(PAGE, left));
      left -= page.size();
      last = page.isEmpty() ? last : page.getLast().id();
      if (page.isEmpty() || last > execution.lastEvent()) {
        throw new ProviderException(
            ProviderException.Kind.CONTENTION,
            "readEvents",
            key + ": events were deleted while they were read; stop what works on the store");
      }
      return page;
    }
  }
}
