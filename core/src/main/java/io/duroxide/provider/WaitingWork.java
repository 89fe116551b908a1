package io.duroxide.provider;

import java.util.List;
import java.util.Objects;

/**
 * Work that is ready and needs the same.
 *
 * @param count how many instances, or activities
 * @param instances some of the instances, those that wait longest first
 */
public record WaitingWork(Need need, long count, List<String> instances) {
  public WaitingWork {
    Objects.requireNonNull(need, "need");
    instances = List.copyOf(instances);
  }
}
