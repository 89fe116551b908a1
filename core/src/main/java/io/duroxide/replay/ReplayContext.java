package io.duroxide.replay;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Branch;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.KeyValueStore;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.Outcome;
import io.duroxide.api.PrunedHistory;
import io.duroxide.api.RetryPolicy;
import io.duroxide.api.Selected;
import io.duroxide.api.TypeRef;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Retention;
import io.duroxide.model.SystemActivities;
import io.duroxide.model.TextLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** The context of one execution; shared by its root and branches. */
final class ReplayContext implements OrchestrationContext {
  private static final Logger TARGET = LoggerFactory.getLogger("io.duroxide.orchestration");

  private final ExecutionSetup setup;
  private final Conductor conductor;
  private final KvState kv;
  private final TurnLines lines;
  private Instant latestNow = Instant.MIN;
  private @Nullable String customStatus;
  private final Set<String> queuesToRead = new LinkedHashSet<>(0);

  ReplayContext(ExecutionSetup setup, Conductor conductor, KvState kv) {
    this.setup = setup;
    this.conductor = conductor;
    this.kv = kv;
    this.lines = new TurnLines(TARGET, setup.options().clock(), this::withFields);
  }

  private LoggingEventBuilder withFields(LoggingEventBuilder event) {
    return event
        .addKeyValue("instance_id", instanceId())
        .addKeyValue("execution_id", executionId())
        .addKeyValue("orchestration_name", orchestrationName())
        .addKeyValue("orchestration_version", orchestrationVersion())
        .addKeyValue("worker_id", setup.options().author().workerId());
  }

  TurnLines lines() {
    return lines;
  }

  @Override
  public String instanceId() {
    return setup.key().instance();
  }

  @Override
  public long executionId() {
    return setup.key().executionId();
  }

  @Override
  public String orchestrationName() {
    return setup.name();
  }

  @Override
  public String orchestrationVersion() {
    return setup.version();
  }

  @Override
  public boolean isReplaying() {
    return conductor.replaying();
  }

  @Override
  public Logger log() {
    return new ContextLogger(lines.target(), this::isReplaying, lines::add);
  }

  @Override
  public DataConverter converter() {
    return setup.options().converter();
  }

  @Override
  public DurableFuture<String> callActivity(String name, String input, ActivityOptions options) {
    TextLimit.ACTIVITY_NAME.check(Objects.requireNonNull(name, "name"));
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(options, "options");
    RetryPolicy retry = options.retry();
    if (retry != null) {
      return async(new RetryLoop(name, input, options, retry)::run);
    }
    return conductor.schedule(
        new Action.CallActivity(name, input, options.routing()), ScheduleKind.ACTIVITY);
  }

  private DurableFuture<String> systemCall(String name, String input) {
    return conductor.schedule(
        new Action.CallActivity(name, input, ActivityRouting.ANYWHERE), ScheduleKind.ACTIVITY);
  }

  @Override
  public DurableFuture<Instant> timer(Duration delay) {
    Objects.requireNonNull(delay, "delay");
    return conductor.timer(delay);
  }

  /** What was recorded on one node may be before what was recorded on another one. */
  @Override
  public Instant utcNow() {
    String recorded = systemCall(SystemActivities.UTC_NOW, "").await();
    Instant now = Instant.ofEpochMilli(Long.parseLong(recorded));
    latestNow = now.isAfter(latestNow) ? now : latestNow;
    return latestNow;
  }

  @Override
  public UUID newGuid() {
    return UUID.fromString(systemCall(SystemActivities.NEW_GUID, "").await());
  }

  @Override
  public DurableFuture<String> waitForEvent(String name) {
    TextLimit.EVENT_NAME.check(Objects.requireNonNull(name, "name"));
    return conductor.schedule(new Action.WaitExternal(name), ScheduleKind.WAIT);
  }

  @Override
  public DurableFuture<String> dequeueEvent(String queue) {
    TextLimit.QUEUE_NAME.check(Objects.requireNonNull(queue, "queue"));
    return conductor.schedule(new Action.DequeueEvent(queue), ScheduleKind.DEQUEUE);
  }

  @Override
  public void endWhenRead(String queue) {
    TextLimit.QUEUE_NAME.check(Objects.requireNonNull(queue, "queue"));
    queuesToRead.add(queue);
  }

  /** The mailboxes that have to be empty when the code returns. */
  List<String> queuesToRead() {
    return List.copyOf(queuesToRead);
  }

  @Override
  public DurableFuture<String> callOrchestration(String name, String input, ChildOptions options) {
    TextLimit.ORCHESTRATION_NAME.check(Objects.requireNonNull(name, "name"));
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(options, "options");
    String explicit = options.instanceId();
    if (explicit != null && ChildIds.isReserved(explicit)) {
      throw new IllegalArgumentException(
          "child id '"
              + explicit
              + "' is reserved for generated ids; it must neither begin with 'sub::' nor contain"
              + " '::sub::'");
    }
    return conductor.schedule(
        new Action.StartSubOrchestration(name, input, options.version(), explicit),
        ScheduleKind.CHILD);
  }

  @Override
  public void startDetached(String name, String input, ChildOptions options) {
    TextLimit.ORCHESTRATION_NAME.check(Objects.requireNonNull(name, "name"));
    Objects.requireNonNull(input, "input");
    Objects.requireNonNull(options, "options");
    String instance = options.instanceId();
    if (instance == null) {
      throw new IllegalArgumentException(
          "a detached start of '" + name + "' must name the instance id");
    }
    conductor.emit(new Action.StartOrchestrationDetached(name, input, options.version(), instance));
  }

  @Override
  public DurableFuture<Optional<String>> readKv(String instanceId, String key) {
    TextLimit.INSTANCE_ID.check(Objects.requireNonNull(instanceId, "instanceId"));
    TextLimit.KEY.check(Objects.requireNonNull(key, "key"));
    Map<String, String> request = new LinkedHashMap<>();
    request.put("instance_id", instanceId);
    request.put("key", key);
    return systemCall(SystemActivities.GET_KV_VALUE, converter().encodeJson(request))
        .map(text -> converter().decodeJson(text, new TypeRef<Optional<String>>() {}));
  }

  @Override
  public <T> DurableFuture<T> async(Branch<T> branch) {
    Objects.requireNonNull(branch, "branch");
    return conductor.async(branch, this);
  }

  @Override
  public <T> List<Outcome<T>> join(List<? extends DurableFuture<? extends T>> futures) {
    List<Outcome<T>> outcomes = new ArrayList<>(futures.size());
    for (ReplayFuture<T> future : ReplayContext.<T>own(futures)) {
      conductor.await(future);
      outcomes.add(future.outcome());
    }
    return outcomes;
  }

  @Override
  public <T> Selected<T> select(List<? extends DurableFuture<? extends T>> futures) {
    return conductor.select(ReplayContext.<T>own(futures));
  }

  /** Every future an orchestration can have was made by the engine. */
  @SuppressWarnings("unchecked")
  private static <T> List<ReplayFuture<T>> own(List<? extends DurableFuture<? extends T>> futures) {
    return (List<ReplayFuture<T>>) (List<?>) List.copyOf(futures);
  }

  @Override
  public KeyValueStore kv() {
    return kv;
  }

  @Override
  public void setCustomStatus(String status) {
    Objects.requireNonNull(status, "status");
    updateCustomStatus(status);
  }

  @Override
  public void resetCustomStatus() {
    updateCustomStatus(null);
  }

  private void updateCustomStatus(@Nullable String status) {
    if (conductor.live()) {
      customStatus = status;
      conductor.emit(new Action.UpdateCustomStatus(status));
    }
  }

  @Override
  public Optional<String> customStatus() {
    return Optional.ofNullable(customStatus);
  }

  /** The status carried over from the previous execution. */
  void inheritCustomStatus(@Nullable String status) {
    customStatus = status;
  }

  @Override
  public PrunedHistory pruneHistory(Retention retention) {
    Objects.requireNonNull(retention, "retention");
    return PruneAnswer.read(
        conductor.schedule(new Action.PruneHistory(retention), ScheduleKind.PRUNE).await());
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals")
  public <T> T continueAsNew(Object input, ContinueOptions options) {
    Objects.requireNonNull(options, "options");
    throw conductor.continueAsNew(
        new Finish.ContinuedAsNew(encodeNext(input), options.version(), options.prune()));
  }

  private String encodeNext(Object input) {
    try {
      return converter().encode(input);
    } catch (DataConversionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
