package io.duroxide.runtime;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A configuration that may change at any time. One that cannot be read leaves the last in force, so
 * that no floor is lost. Thread-safe.
 */
final class PruneSettings {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.pruning");

  private final Supplier<AutoPruneConfig> source;
  private final AtomicReference<AutoPruneConfig> last;

  /** Reads it once; what goes wrong then reaches the caller. */
  PruneSettings(Supplier<AutoPruneConfig> source) {
    this.source = source;
    this.last =
        new AtomicReference<>(
            Objects.requireNonNull(source.get(), "the configuration of automatic pruning"));
  }

  AutoPruneConfig read() {
    try {
      AutoPruneConfig now = source.get();
      if (now != null) {
        last.set(now);
      }
    } catch (RuntimeException | Error e) {
      LOG.warn("the configuration of automatic pruning cannot be read, the last one counts", e);
    }
    return last.get();
  }
}
