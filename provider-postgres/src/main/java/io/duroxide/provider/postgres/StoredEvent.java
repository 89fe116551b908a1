package io.duroxide.provider.postgres;

import io.duroxide.codec.EventCodec;
import io.duroxide.model.Event;

/** An event as its row has it. */
record StoredEvent(long id, String data) {

  static StoredEvent of(Event event) {
    return new StoredEvent(event.id(), EventCodec.encode(event));
  }
}
