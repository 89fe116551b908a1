package io.duroxide.client;

import io.duroxide.model.AutoPrune;
import io.duroxide.model.Semver;
import io.duroxide.model.TextLimit;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a client starts an instance. Meant for static import: {@code version("2.0.0")}.
 *
 * @param version the exact version to run, without its build label; null lets the registry choose
 * @param delay how long to wait before the first turn
 * @param reuse what to do if the id exists
 * @param autoPrune what this instance says about automatic pruning; null leaves it to registrations
 *     and runtimes
 */
public record StartOptions(
    @Nullable String version, Duration delay, Reuse reuse, @Nullable AutoPrune autoPrune) {
  private static final StartOptions NONE =
      new StartOptions(null, Duration.ZERO, Reuse.RETURN_EXISTING, null);

  /** What happens to a start whose id exists. */
  public enum Reuse {
    /** Nothing: the instance that exists goes on, its result stays. */
    RETURN_EXISTING,
    /**
     * The call is refused with {@link ClientException.InstanceExists}. The store decides, so of
     * several callers one is accepted; a start that is queued or delayed counts as an instance.
     */
    REJECT,
    /**
     * An instance that has ended begins its next execution with the new input; past executions stay
     * until they are pruned. The store decides, so of several callers at the same time one starts
     * it, and the others find it running.
     */
    RESTART_IF_TERMINAL
  }

  public StartOptions {
    String tooLong = version == null ? null : TextLimit.VERSION.complaint(version);
    if (tooLong != null) {
      throw new ClientException.InvalidInput(tooLong, null);
    }
    version = version == null ? null : withoutLabel(version);
    Objects.requireNonNull(reuse, "reuse");
    if (delay.isNegative()) {
      throw new ClientException.InvalidInput("a start cannot lie in the past: " + delay, null);
    }
  }

  private static String withoutLabel(String version) {
    return Semver.tryParse(version)
        .orElseThrow(() ->
            new ClientException.InvalidInput(
                "'" + version + "' is not a semantic version such as 1.4.0", null))
        .toString();
  }

  /** Version by policy, at once, an existing instance goes on. */
  public static StartOptions defaults() {
    return NONE;
  }

  /** Exactly this version. */
  public static StartOptions version(String version) {
    return new StartOptions(version, Duration.ZERO, Reuse.RETURN_EXISTING, null);
  }

  /** Not before this much time has passed. */
  public static StartOptions delayed(Duration delay) {
    return new StartOptions(null, delay, Reuse.RETURN_EXISTING, null);
  }

  /** An instance that has ended begins its next execution. */
  public static StartOptions restartIfEnded() {
    return NONE.withReuse(Reuse.RESTART_IF_TERMINAL);
  }

  /** With a pruning policy of its own, or {@link AutoPrune#DISABLED}. */
  public static StartOptions autoPrune(AutoPrune setting) {
    return NONE.withAutoPrune(setting);
  }

  /** Another rule for ids that exist. */
  public StartOptions withReuse(Reuse newReuse) {
    return new StartOptions(version, delay, newReuse, autoPrune);
  }

  public StartOptions withDelay(Duration newDelay) {
    return new StartOptions(version, newDelay, reuse, autoPrune);
  }

  public StartOptions withAutoPrune(AutoPrune setting) {
    return new StartOptions(version, delay, reuse, setting);
  }
}
