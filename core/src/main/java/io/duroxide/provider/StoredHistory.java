package io.duroxide.provider;

import io.duroxide.model.Event;
import io.duroxide.model.KvEntry;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a fetch hands over of the current execution. The type says whether it is all there is, so
 * that what was left out cannot be taken for what is empty.
 */
public sealed interface StoredHistory {
  /** The events that came along, in id order. */
  List<Event> events();

  /** All events without values, as of an execution that has written none. */
  static Whole of(List<Event> events) {
    return new Whole(events, Map.of());
  }

  /**
   * Everything: an execution can be begun or rebuilt from it.
   *
   * @param values the KV state that the execution began with; if it has ended, the state that the
   *     next one begins with
   */
  record Whole(List<Event> events, Map<String, KvEntry> values) implements StoredHistory {
    public Whole {
      events = List.copyOf(events);
      values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }

  /**
   * Only what the caller lacks, because it said that it keeps this execution. Nothing else can be
   * begun or rebuilt from it.
   *
   * @param after events up to this id were left out, and all values
   */
  record Rest(long after, List<Event> events) implements StoredHistory {
    public Rest {
      if (after < 1) {
        throw new IllegalArgumentException("event ids begin at 1, got " + after);
      }
      events = List.copyOf(events);
    }
  }

  /** The history cannot be loaded: there is too little memory for it, or its rows fail. */
  record NotLoaded(String error) implements StoredHistory {
    /** For one whose loading has failed. */
    public static NotLoaded after(Throwable failure) {
      return new NotLoaded("the history cannot be loaded: " + failure);
    }

    @Override
    public List<Event> events() {
      return List.of();
    }
  }

  /** The history cannot be decoded. */
  record Unreadable(String error) implements StoredHistory {
    @Override
    public List<Event> events() {
      return List.of();
    }
  }
}
