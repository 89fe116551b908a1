package io.duroxide.provider.sqlite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All messages of instances that have few, in the order of arrival, so that what was sent a moment
 * ago need not be read again. Confined to the writer.
 */
final class KeptMessages {
  private static final int MAX_INSTANCES = 10_000;
  private static final int MAX_EACH = 16;
  private static final long MAX_CHARACTERS = 4 << 20;

  private final Map<Long, List<StoredMessage>> lists = new HashMap<>();
  private long characters;

  /** All that is stored for an instance; null if that has to be read. */
  @Nullable List<StoredMessage> of(long instance) {
    return lists.get(instance);
  }

  /** Nothing is stored for an instance. */
  void begin(long instance) {
    if (lists.size() >= MAX_INSTANCES) {
      clear();
    }
    lists.put(instance, new ArrayList<>(1));
  }

  /** One more is stored. */
  void add(long instance, StoredMessage message) {
    List<StoredMessage> all = lists.get(instance);
    if (all == null) {
      return;
    }
    if (all.size() == MAX_EACH) {
      forget(instance);
      return;
    }
    all.add(message);
    characters += message.payload().length();
    if (characters > MAX_CHARACTERS) {
      clear();
    }
  }

  /** A batch is stored no longer. */
  void remove(Batch batch) {
    List<StoredMessage> all = lists.get(batch.instance());
    if (all == null) {
      return;
    }
    for (Iterator<StoredMessage> each = all.iterator(); each.hasNext(); ) {
      StoredMessage message = each.next();
      if (batch.holds(message.kind(), message.place())) {
        each.remove();
        characters -= message.payload().length();
      }
    }
  }

  /** What is stored for an instance has to be read again. */
  void forget(long instance) {
    List<StoredMessage> all = lists.remove(instance);
    if (all != null) {
      all.forEach(message -> characters -= message.payload().length());
    }
  }

  void clear() {
    lists.clear();
    characters = 0;
  }
}
