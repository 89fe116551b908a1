package io.duroxide.provider.memory;

import io.duroxide.provider.InstanceFilter;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;

/** The instances that a bulk operation is about. Guarded by the gate. */
final class Selection {
  private final Instances instances;

  Selection(Instances instances) {
    this.instances = instances;
  }

  /** Matches before the limit is applied, in no order. */
  Stream<Instance> matching(InstanceFilter filter) {
    List<String> ids = filter.instanceIds();
    Instant end = filter.completedBefore();
    Stream<Instance> listed =
        ids == null
            ? instances.existing().stream()
            : new LinkedHashSet<>(ids).stream().flatMap(id -> instances.existing(id).stream());
    return end == null ? listed : listed.filter(instance -> instance.completion().isBefore(end));
  }
}
