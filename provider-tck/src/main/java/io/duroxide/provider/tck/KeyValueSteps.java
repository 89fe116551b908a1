package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.LockedOrchestration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Steps of the key-value category. */
abstract class KeyValueSteps extends LifecycleSteps {
  /** When every value says it was written; not the time of the event around it. */
  static final Instant WRITTEN = Instant.parse("2025-02-03T04:05:06.789Z");

  static EventKind set(String key, String value) {
    return new EventKind.KeyValueSet(key, value, WRITTEN);
  }

  static EventKind clear(String key) {
    return new EventKind.KeyValueCleared(key);
  }

  static EventKind clearAll() {
    return new EventKind.KeyValuesCleared();
  }

  final void holds(String instance, String key, String value) {
    assertThat(provider.kvValue(instance, key)).contains(value);
  }

  final void lacks(String instance, String key) {
    assertThat(provider.kvValue(instance, key)).isEmpty();
  }

  /** The snapshot of the next turn, which then changes nothing. */
  final Map<String, String> snapshot(String instance) {
    Map<String, String> values = new LinkedHashMap<>();
    entries(instance).forEach((key, entry) -> values.put(key, entry.value()));
    return values;
  }

  final Map<String, KvEntry> entries(String instance) {
    poke(instance);
    LockedOrchestration locked = fetched(instance);
    drain(locked);
    return values(locked);
  }
}
