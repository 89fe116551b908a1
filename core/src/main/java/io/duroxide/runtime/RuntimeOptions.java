package io.duroxide.runtime;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.TextLimit;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.TagFilter;
import io.duroxide.telemetry.TelemetryListener;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a runtime behaves. Made by {@link #builder}, which checks everything at {@link
 * Builder#build}.
 */
public final class RuntimeOptions {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime");

  private final Builder set;
  private final PruneSettings pruning;

  private RuntimeOptions(Builder set) {
    this.set = set;
    this.pruning = new PruneSettings(set.autoPrune);
  }

  /** The defaults. */
  public static RuntimeOptions defaults() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  public int orchestrationConcurrency() {
    return set.orchestrationConcurrency;
  }

  public int workerConcurrency() {
    return set.workerConcurrency;
  }

  public Duration longPollTimeout() {
    return set.longPollTimeout;
  }

  public Duration minPollInterval() {
    return set.minPollInterval;
  }

  public Duration orchestratorLockTimeout() {
    return set.orchestratorLockTimeout;
  }

  public Duration workerLockTimeout() {
    return set.workerLockTimeout;
  }

  public Duration orchestratorLockRenewalBuffer() {
    return set.orchestratorLockRenewalBuffer;
  }

  public Duration lockRenewalBuffer() {
    return set.lockRenewalBuffer;
  }

  public int maxAttempts() {
    return set.maxAttempts;
  }

  public Duration unregisteredBaseDelay() {
    return set.unregisteredBaseDelay;
  }

  public Duration unregisteredMaxDelay() {
    return set.unregisteredMaxDelay;
  }

  public Duration cancellationGracePeriod() {
    return set.cancellationGracePeriod;
  }

  public Duration shutdownTimeout() {
    return set.shutdownTimeout;
  }

  public int cachedExecutions() {
    return set.cachedExecutions;
  }

  public int localSteps() {
    return set.localSteps;
  }

  public Duration blockingLimit() {
    return set.blockingLimit;
  }

  public List<SemverRange> supportedReplayVersions() {
    return set.supportedReplayVersions;
  }

  public boolean fetchOnlyRegistered() {
    return set.fetchOnlyRegistered;
  }

  public TagFilter tags() {
    return set.tags;
  }

  public Optional<String> workerNodeId() {
    return Optional.ofNullable(set.workerNodeId);
  }

  public SessionOptions sessions() {
    return set.sessions;
  }

  public Duration orphanMessageTtl() {
    return set.orphanMessageTtl;
  }

  /** How this node prunes at this moment. */
  public AutoPruneConfig autoPrune() {
    return pruning.read();
  }

  public OrphanQueuePolicy orphanQueuePolicy() {
    return set.orphanQueuePolicy;
  }

  public Limits limits() {
    return set.limits;
  }

  public DataConverter converter() {
    return set.converter;
  }

  public List<TelemetryListener> telemetry() {
    return set.telemetry;
  }

  public Duration gaugeInterval() {
    return set.gaugeInterval;
  }

  public Duration announceInterval() {
    return set.announceInterval;
  }

  /** Collects options; anything not said keeps its default. */
  public static final class Builder implements Cloneable {
    private int orchestrationConcurrency = 500;
    private int workerConcurrency = 200;
    private Duration longPollTimeout = Duration.ofSeconds(30);
    private Duration minPollInterval = Duration.ofMillis(100);
    private Duration orchestratorLockTimeout = Duration.ofSeconds(5);
    private Duration workerLockTimeout = Duration.ofSeconds(10);
    private Duration orchestratorLockRenewalBuffer = Duration.ofSeconds(2);
    private Duration lockRenewalBuffer = Duration.ofSeconds(5);
    private int maxAttempts = 10;
    private Duration unregisteredBaseDelay = Duration.ofSeconds(1);
    private Duration unregisteredMaxDelay = Duration.ofSeconds(60);
    private Duration cancellationGracePeriod = Duration.ofSeconds(10);
    private Duration shutdownTimeout = Duration.ofSeconds(1);
    private int cachedExecutions = 10_000;
    private int localSteps = 64;
    private Duration blockingLimit = Duration.ofSeconds(2);
    private List<SemverRange> supportedReplayVersions =
        List.of(new SemverRange(Semver.of(0, 0, 0), FrameworkVersion.CURRENT));
    private boolean fetchOnlyRegistered = true;
    private TagFilter tags = TagFilter.DEFAULT_ONLY;
    private @Nullable String workerNodeId;
    private SessionOptions sessions = SessionOptions.DEFAULT;
    private Duration orphanMessageTtl = Duration.ofHours(1);
    private Supplier<AutoPruneConfig> autoPrune = () -> AutoPruneConfig.PLAIN;
    private OrphanQueuePolicy orphanQueuePolicy = OrphanQueuePolicy.DROP;
    private Limits limits = Limits.DEFAULT;
    private DataConverter converter = DataConverter.json();
    private List<TelemetryListener> telemetry = List.of();
    private Duration gaugeInterval = Duration.ofSeconds(60);
    private Duration announceInterval = Duration.ofSeconds(30);

    private Builder() {}

    /** How many turns run at a time; 0 makes a node that only runs activities. */
    public Builder orchestrationConcurrency(int slots) {
      orchestrationConcurrency = slots;
      return this;
    }

    /** How many activities run at a time; 0 makes a node that only runs orchestrations. */
    public Builder workerConcurrency(int slots) {
      workerConcurrency = slots;
      return this;
    }

    /** How long one fetch may wait for work inside the provider. */
    public Builder longPollTimeout(Duration timeout) {
      longPollTimeout = timeout;
      return this;
    }

    /** The least time between two fetches that found nothing. */
    public Builder minPollInterval(Duration interval) {
      minPollInterval = interval;
      return this;
    }

    /** How long a turn may go without a renewal before another node takes the instance. */
    public Builder orchestratorLockTimeout(Duration timeout) {
      orchestratorLockTimeout = timeout;
      return this;
    }

    /** How long an activity may go without a renewal before another node runs it again. */
    public Builder workerLockTimeout(Duration timeout) {
      workerLockTimeout = timeout;
      return this;
    }

    /**
     * How long before its end the lock of a turn is renewed, if it is 15 s or longer; shorter than
     * the lock.
     */
    public Builder orchestratorLockRenewalBuffer(Duration buffer) {
      orchestratorLockRenewalBuffer = buffer;
      return this;
    }

    /** The same for the locks of activities, and for those of sessions. */
    public Builder lockRenewalBuffer(Duration buffer) {
      lockRenewalBuffer = buffer;
      return this;
    }

    /** How often anything is tried before it is given up as poison. */
    public Builder maxAttempts(int attempts) {
      maxAttempts = attempts;
      return this;
    }

    /** The pause after meeting work without a handler: doubles from {@code base} to {@code max}. */
    public Builder unregisteredBackoff(Duration base, Duration max) {
      unregisteredBaseDelay = base;
      unregisteredMaxDelay = max;
      return this;
    }

    /** How long a cancelled activity may go on before its thread is interrupted and left. */
    public Builder cancellationGracePeriod(Duration period) {
      cancellationGracePeriod = period;
      return this;
    }

    /** How long {@code close} lets running activities finish. */
    public Builder shutdownTimeout(Duration timeout) {
      shutdownTimeout = timeout;
      return this;
    }

    /** How many waiting executions stay in memory; 0 replays on every turn. */
    public Builder cachedExecutions(int count) {
      cachedExecutions = count;
      return this;
    }

    /**
     * How many activities in a row a slot runs for one orchestration, each committed together with
     * the turn that it causes, before others get the slot if they wait for one. 0 sends everything
     * through the queues.
     */
    public Builder localSteps(int count) {
      localSteps = count;
      return this;
    }

    /** How long orchestration code may be parked outside an await. */
    public Builder blockingLimit(Duration limit) {
      blockingLimit = limit;
      return this;
    }

    /** Which framework versions' executions this node replays. */
    public Builder supportedReplayVersions(List<SemverRange> ranges) {
      supportedReplayVersions = List.copyOf(ranges);
      return this;
    }

    /** Whether to leave work without a registered handler to other nodes; true by default. */
    public Builder fetchOnlyRegistered(boolean only) {
      fetchOnlyRegistered = only;
      return this;
    }

    /** Which activity tags this node serves. */
    public Builder tags(TagFilter filter) {
      tags = filter;
      return this;
    }

    /** A name of this node that survives restarts, such as a pod's. */
    public Builder workerNodeId(String nodeId) {
      workerNodeId = TextLimit.NODE_ID.check(nodeId);
      return this;
    }

    /** How this node owns sessions. */
    public Builder sessions(SessionOptions newSessions) {
      sessions = newSessions;
      return this;
    }

    /** How long a message waits for an instance that never starts. */
    public Builder orphanMessageTtl(Duration ttl) {
      orphanMessageTtl = ttl;
      return this;
    }

    /** How this node prunes when instances continue as new, and in the background. */
    public Builder autoPrune(AutoPruneConfig config) {
      Objects.requireNonNull(config, "config");
      return autoPrune(() -> config);
    }

    /**
     * As {@link #autoPrune(AutoPruneConfig)}, but asked again for each decision, so that it can
     * change while the node runs. It must be quick. If it fails, what it said last counts.
     */
    public Builder autoPrune(Supplier<AutoPruneConfig> config) {
      autoPrune = Objects.requireNonNull(config, "config");
      return this;
    }

    /**
     * What becomes of mailbox messages that come before the start of their instance. All nodes on a
     * store should agree: where one drops, they are dropped.
     */
    public Builder orphanQueuePolicy(OrphanQueuePolicy policy) {
      orphanQueuePolicy = policy;
      return this;
    }

    public Builder limits(Limits newLimits) {
      limits = newLimits;
      return this;
    }

    /** How typed payloads become text. */
    public Builder converter(DataConverter newConverter) {
      converter = newConverter;
      return this;
    }

    /** Adds someone who hears what happens in the runtime. */
    public Builder telemetry(TelemetryListener listener) {
      telemetry = Stream.concat(telemetry.stream(), Stream.of(listener)).toList();
      return this;
    }

    /** How often the store is counted for listeners. */
    public Builder gaugeInterval(Duration interval) {
      gaugeInterval = interval;
      return this;
    }

    /**
     * How often the node tells the store what it can run, and looks for work that no node can run.
     */
    public Builder announceInterval(Duration interval) {
      announceInterval = interval;
      return this;
    }

    /** The options; throws naming the option that cannot be. */
    public RuntimeOptions build() {
      require(orchestrationConcurrency >= 0, "orchestrationConcurrency must not be negative");
      require(workerConcurrency >= 0, "workerConcurrency must not be negative");
      require(cachedExecutions >= 0, "cachedExecutions must not be negative");
      require(localSteps >= 0, "localSteps must not be negative");
      require(maxAttempts >= 1, "maxAttempts must be at least 1");
      positive(longPollTimeout, "longPollTimeout");
      positive(orchestratorLockTimeout, "orchestratorLockTimeout");
      positive(workerLockTimeout, "workerLockTimeout");
      checkBuffers();
      positive(blockingLimit, "blockingLimit");
      positive(unregisteredBaseDelay, "unregisteredBackoff base");
      positive(unregisteredMaxDelay, "unregisteredBackoff max");
      require(!minPollInterval.isNegative(), "minPollInterval must not be negative");
      require(
          minPollInterval.compareTo(longPollTimeout) <= 0,
          "minPollInterval must not be above longPollTimeout");
      supportedReplayVersions.forEach(range ->
          require(
              range.min().compareTriple(range.max()) <= 0,
              "supportedReplayVersions: the range " + range + " is inverted"));
      warnOfForeignVersions();
      positive(orphanMessageTtl, "orphanMessageTtl");
      positive(gaugeInterval, "gaugeInterval");
      positive(announceInterval, "announceInterval");
      Duration renewal = Backoffs.renewalInterval(workerLockTimeout, lockRenewalBuffer);
      require(
          sessions.idleTimeout().compareTo(renewal) > 0,
          "session idleTimeout (%s) must be longer than the renewal interval of activities (%s)"
              .formatted(sessions.idleTimeout(), renewal));
      Objects.requireNonNull(tags, "tags");
      Objects.requireNonNull(orphanQueuePolicy, "orphanQueuePolicy");
      return new RuntimeOptions(copy());
    }

    private void warnOfForeignVersions() {
      Semver own = FrameworkVersion.CURRENT;
      if (supportedReplayVersions.stream().noneMatch(range -> range.contains(own))) {
        LOG.warn(
            "supportedReplayVersions {} lack {}, the version of this build: a node with these"
                + " options begins no instances; add the range {}..{} unless that is meant",
            supportedReplayVersions,
            own,
            own,
            own);
      }
    }

    private void checkBuffers() {
      positive(orchestratorLockRenewalBuffer, "orchestratorLockRenewalBuffer");
      positive(lockRenewalBuffer, "lockRenewalBuffer");
      require(
          fits(orchestratorLockRenewalBuffer, orchestratorLockTimeout),
          "orchestratorLockRenewalBuffer (%s) must be shorter than orchestratorLockTimeout (%s);"
                  .formatted(orchestratorLockRenewalBuffer, orchestratorLockTimeout)
              + " lower the buffer or lengthen the lock");
      require(
          fits(lockRenewalBuffer, workerLockTimeout),
          "lockRenewalBuffer (%s) must be shorter than workerLockTimeout (%s); lower the buffer or"
                  .formatted(lockRenewalBuffer, workerLockTimeout)
              + " lengthen the lock");
    }

    private static boolean fits(Duration buffer, Duration lock) {
      return !Backoffs.hasRenewalBuffer(lock) || buffer.compareTo(lock) < 0;
    }

    private Builder copy() {
      try {
        return (Builder) clone();
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void require(boolean holds, String problem) {
      if (!holds) {
        throw new IllegalArgumentException(problem);
      }
    }

    private static void positive(Duration duration, String option) {
      require(duration.compareTo(Duration.ZERO) > 0, option + " must be positive, not " + duration);
    }
  }
}
