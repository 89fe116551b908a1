package io.duroxide.runtime;

import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Retention;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a node prunes when instances continue as new.
 *
 * <p>At each continue-as-new exactly one policy counts, the first of: what the code says there;
 * what the instance was started with; {@code overrides}; what was registered with the
 * orchestration, first for its version, then for its name; {@code defaultPolicy}.
 *
 * @param enabled whether overrides, registrations and the default count; what code and instances
 *     say always does
 * @param defaultPolicy for all orchestrations without another; null for none
 * @param overrides by orchestration name
 * @param floor what no prune of this node goes below, whoever asks for it; null for none
 * @param sweep pruning in the background; null for none
 */
public record AutoPruneConfig(
    boolean enabled,
    @Nullable AutoPrunePolicy defaultPolicy,
    Map<String, AutoPrunePolicy> overrides,
    @Nullable Retention floor,
    @Nullable PruneSweep sweep) {
  /** Nothing but what code, instances and registrations say. */
  public static final AutoPruneConfig PLAIN = new AutoPruneConfig(true, null, Map.of(), null, null);

  public AutoPruneConfig {
    overrides = Map.copyOf(overrides);
  }

  /** Switches overrides, registrations and the default on or off. */
  public AutoPruneConfig withEnabled(boolean on) {
    return new AutoPruneConfig(on, defaultPolicy, overrides, floor, sweep);
  }

  public AutoPruneConfig withDefault(AutoPrunePolicy policy) {
    return new AutoPruneConfig(enabled, policy, overrides, floor, sweep);
  }

  public AutoPruneConfig withOverride(String orchestration, AutoPrunePolicy policy) {
    Map<String, AutoPrunePolicy> more = new HashMap<>(overrides);
    more.put(Objects.requireNonNull(orchestration, "orchestration"), policy);
    return new AutoPruneConfig(enabled, defaultPolicy, more, floor, sweep);
  }

  public AutoPruneConfig withFloor(Retention newFloor) {
    return new AutoPruneConfig(enabled, defaultPolicy, overrides, newFloor, sweep);
  }

  public AutoPruneConfig withSweep(PruneSweep newSweep) {
    return new AutoPruneConfig(enabled, defaultPolicy, overrides, floor, newSweep);
  }

  /** Whether it prunes by itself, without code that asks for it. */
  boolean prunes() {
    return enabled && (defaultPolicy != null || !overrides.isEmpty());
  }
}
