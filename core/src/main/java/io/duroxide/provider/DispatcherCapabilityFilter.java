package io.duroxide.provider;

import io.duroxide.model.SemverRange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which executions a node can run.
 *
 * <p>An execution passes when its pinned version lies in one of the ranges, or it has no pin and
 * there is at least one range; and when its handler passes.
 *
 * @param supported inclusive ranges; none admits nothing
 * @param handlers the orchestrations this node has registered; null admits all
 */
public record DispatcherCapabilityFilter(
    List<SemverRange> supported, @Nullable HandlerFilter handlers) {
  public DispatcherCapabilityFilter {
    supported = List.copyOf(supported);
  }

  public static DispatcherCapabilityFilter of(SemverRange... supported) {
    return new DispatcherCapabilityFilter(List.of(supported), null);
  }

  /**
   * Whether an execution with this pin, null for none, can be replayed here; one whose pin cannot
   * be read can not.
   */
  public boolean admitsPin(@Nullable ExecutionPin pin) {
    if (pin == null) {
      return !supported.isEmpty();
    }
    return pin.version()
        .map(pinned -> supported.stream().anyMatch(range -> range.contains(pinned)))
        .orElse(false);
  }

  /**
   * Whether this node has the code for the next turn.
   *
   * @param version the version the turn will run, null when a policy will choose it
   */
  public boolean admitsHandler(String orchestration, @Nullable String version) {
    return handlers == null || handlers.admits(orchestration, version);
  }
}
