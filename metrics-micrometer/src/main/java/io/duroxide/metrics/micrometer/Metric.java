package io.duroxide.metrics.micrometer;

import java.util.List;

/** Everything that {@link MicrometerTelemetry} measures. */
public enum Metric {
  ORCHESTRATION_STARTS(
      Type.COUNTER,
      "orchestration.starts",
      "executions begun, counted with the commit of their first turn",
      "orchestration_name",
      "version",
      "initiated_by"),
  ORCHESTRATION_COMPLETIONS(
      Type.COUNTER,
      "orchestration.completions",
      "executions ended, counted with the commit of their last turn",
      "orchestration_name",
      "version",
      "status",
      "final_turn_count"),
  ORCHESTRATION_FAILURES(
      Type.COUNTER,
      "orchestration.failures",
      "executions that failed or were cancelled",
      "orchestration_name",
      "version",
      "error_type",
      "error_category"),
  ORCHESTRATION_INFRASTRUCTURE_ERRORS(
      Type.COUNTER,
      "orchestration.infrastructure.errors",
      "executions failed by the store or the runtime",
      "orchestration_name",
      "error_category"),
  ORCHESTRATION_CONFIGURATION_ERRORS(
      Type.COUNTER,
      "orchestration.configuration.errors",
      "executions failed by their deployment, such as nondeterminism",
      "orchestration_name",
      "error_category"),
  ORCHESTRATION_POISON(
      Type.COUNTER,
      "orchestration.poison",
      "executions failed because a turn was tried too often",
      "orchestration_name"),
  ORCHESTRATION_CONTINUE_AS_NEW(
      Type.COUNTER,
      "orchestration.continue.as.new",
      "executions that continued as new",
      "orchestration_name"),
  ORCHESTRATION_DURATION(
      Type.TIMER,
      "orchestration.duration",
      Buckets.EXECUTION,
      "an execution from its start to its end",
      "orchestration_name",
      "version",
      "status"),
  ORCHESTRATION_HISTORY_SIZE(
      Type.SUMMARY,
      "orchestration.history.size",
      Buckets.EVENTS,
      "events of an execution at its end",
      "orchestration_name"),
  ORCHESTRATION_TURNS(
      Type.SUMMARY,
      "orchestration.turns",
      Buckets.TURNS,
      "turns of an execution at its end",
      "orchestration_name"),
  ACTIVE_ORCHESTRATIONS(
      Type.GAUGE, "active.orchestrations", "instances in the store that have not ended"),
  ORCHESTRATOR_QUEUE_DEPTH(
      Type.GAUGE, "orchestrator.queue.depth", "messages for orchestrations", "state"),
  WORKER_QUEUE_DEPTH(Type.GAUGE, "worker.queue.depth", "queued activities", "state"),
  WORKER_QUEUE_READY(
      Type.GAUGE, "worker.queue.ready", "activities that wait for a node, by tag", "tag"),
  STRANDED_WORK(
      Type.GAUGE, "stranded.work", "ready turns or activities that no live node can run", "queue"),
  ACTIVITY_EXECUTIONS(
      Type.COUNTER,
      "activity.executions",
      "fetched activities, by what came of them",
      "activity_name",
      "outcome",
      "retry_attempt",
      "tag"),
  ACTIVITY_DURATION(
      Type.TIMER,
      "activity.duration",
      Buckets.ACTIVITY,
      "time in an activity's handler",
      "activity_name",
      "outcome",
      "tag"),
  ACTIVITY_INFRASTRUCTURE_ERRORS(
      Type.COUNTER,
      "activity.infrastructure.errors",
      "activities whose outcome could not be stored",
      "activity_name"),
  ACTIVITY_CONFIGURATION_ERRORS(
      Type.COUNTER,
      "activity.configuration.errors",
      "activities that met a node without their handler",
      "activity_name"),
  ACTIVITY_POISON(
      Type.COUNTER,
      "activity.poison",
      "activities failed because they were tried too often",
      "activity_name"),
  SUBORCHESTRATION_CALLS(
      Type.COUNTER,
      "suborchestration.calls",
      "children that answered or were given up",
      "parent_orchestration",
      "child_orchestration",
      "outcome"),
  SUBORCHESTRATION_DURATION(
      Type.TIMER,
      "suborchestration.duration",
      Buckets.CHILD,
      "from asking for a child to its answer",
      "parent_orchestration",
      "child_orchestration",
      "outcome"),
  PROVIDER_OPERATION_DURATION(
      Type.TIMER,
      "provider.operation.duration",
      Buckets.STORE,
      "time the store worked on a call, without waiting for work",
      "operation",
      "status",
      "result"),
  PROVIDER_ROWS(
      Type.SUMMARY,
      "provider.rows",
      Buckets.ROWS,
      "items that a call to the store returned",
      "operation"),
  PROVIDER_ERRORS(
      Type.COUNTER, "provider.errors", "calls that the store failed", "operation", "error_type"),
  CLIENT_ORCHESTRATION_STARTS(
      Type.COUNTER, "client.orchestration.starts", "starts sent by clients", "orchestration_name"),
  CLIENT_EXTERNAL_EVENTS_RAISED(
      Type.COUNTER,
      "client.external.events.raised",
      "events and queue messages sent by clients",
      "event_name"),
  CLIENT_CANCELLATIONS(Type.COUNTER, "client.cancellations", "cancels sent by clients"),
  CLIENT_WAIT_DURATION(
      Type.TIMER, "client.wait.duration", Buckets.WAIT, "time clients waited for an instance"),
  ORCHESTRATION_DISPATCHER_ITEMS_FETCHED(
      Type.COUNTER, "orchestration.dispatcher.items.fetched", "instances fetched for a turn"),
  WORKER_DISPATCHER_ITEMS_FETCHED(
      Type.COUNTER, "worker.dispatcher.items.fetched", "activities fetched"),
  DISPATCHER_EMPTY_POLLS(
      Type.COUNTER, "dispatcher.empty.polls", "fetches that found nothing", "queue"),
  DISPATCHER_FETCH_ERRORS(
      Type.COUNTER, "dispatcher.fetch.errors", "fetches that failed", "queue", "error_type"),
  ORCHESTRATION_DISPATCHER_PROCESSING_DURATION(
      Type.TIMER,
      "orchestration.dispatcher.processing.duration",
      Buckets.TURN,
      "from the fetch of an instance to the commit of its turn",
      "outcome"),
  WORKER_DISPATCHER_EXECUTION_DURATION(
      Type.TIMER,
      "worker.dispatcher.execution.duration",
      Buckets.WORK,
      "from the fetch of an activity to the report of its outcome"),
  SCHEDULE_TO_START(
      Type.TIMER,
      "schedule.to.start",
      Buckets.QUEUE,
      "how long due work waited for a node",
      "queue"),
  REPLAY_EVENTS(Type.COUNTER, "replay.events", "recorded events that were replayed"),
  EXECUTION_CACHE_LOOKUPS(
      Type.COUNTER,
      "execution.cache.lookups",
      "turns that found their execution in memory, or not",
      "result"),
  EXECUTION_CACHE_EVICTIONS(
      Type.COUNTER, "execution.cache.evictions", "executions that made room for others in memory"),
  KEPT_EXECUTIONS(Type.GAUGE, "kept.executions", "executions that wait in memory"),
  TURNS_IN_PROGRESS(Type.GAUGE, "turns.in.progress", "turns that run now"),
  TURNS_IN_VAIN(Type.COUNTER, "turns.in.vain", "turns that were thrown away", "reason"),
  CLOCK_STEPS(Type.COUNTER, "store.clock.steps", "how often the store's clock was set back"),
  ACTIVITIES_IN_PROGRESS(Type.GAUGE, "activities.in.progress", "activities that run now"),
  ZOMBIE_ACTIVITY_THREADS(
      Type.GAUGE,
      "zombie.activity.threads",
      "handlers left behind after ignoring their cancellation"),
  SESSIONS_OWNED(Type.GAUGE, "sessions.owned", "sessions owned at the last renewal"),
  SESSIONS_IN_FLIGHT(Type.GAUGE, "sessions.in.flight", "sessions with an activity in progress"),
  SESSION_CLAIMS(Type.COUNTER, "session.claims", "sessions that came to a node", "claim"),
  INCOMPATIBLE_VERSION_ABANDONED(
      Type.COUNTER,
      "incompatible.version.abandoned",
      "turns given back because of the framework version they are pinned to"),
  UNREGISTERED_BACKOFF(
      Type.COUNTER,
      "unregistered.backoff",
      "work given back for want of a handler",
      "kind",
      "name"),
  ACK_RETRIES(Type.COUNTER, "ack.retries", "commits that had to be tried again", "queue"),
  LOCK_RENEWAL_FAILURES(
      Type.COUNTER, "lock.renewal.failures", "renewals of locks that failed", "kind", "error_type"),
  MESSAGES_DROPPED(Type.COUNTER, "messages.dropped", "messages that reached nobody", "reason"),
  EXECUTIONS_PRUNED(
      Type.COUNTER,
      "executions.pruned",
      "executions deleted by pruning",
      "orchestration_name",
      "source"),
  HISTORY_EVENTS_PRUNED(
      Type.COUNTER,
      "history.events.pruned",
      "events deleted by pruning",
      "orchestration_name",
      "source"),
  PRUNE_FAILURES(
      Type.COUNTER, "prune.failures", "prunings that failed", "orchestration_name", "source"),
  PRUNE_DURATION(Type.TIMER, "prune.duration", Buckets.PRUNE, "time of one pruning", "source"),
  ORPHANS_CLEANED(Type.COUNTER, "orphans.cleaned", "orphaned instances deleted", "kind");

  /** What kind of meter it is. */
  public enum Type {
    COUNTER("_total"),
    TIMER("_seconds"),
    SUMMARY(""),
    GAUGE("");

    private final String suffix;

    Type(String suffix) {
      this.suffix = suffix;
    }
  }

  private final Type type;
  private final String path;
  private final Buckets buckets;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // It is: made by List.of.
  private final List<String> labels;

  Metric(Type type, String path, String description, String... labels) {
    this(type, path, Buckets.NONE, description, labels);
  }

  Metric(Type type, String path, Buckets buckets, String description, String... labels) {
    this.type = type;
    this.path = path;
    this.buckets = buckets;
    this.description = description;
    this.labels = List.of(labels);
  }

  public Type type() {
    return type;
  }

  /** The meter's name behind its prefix, in Micrometer's form: {@code orchestration.starts}. */
  public String path() {
    return path;
  }

  public String description() {
    return description;
  }

  /** The keys of its tags, in order. */
  public List<String> labels() {
    return labels;
  }

  /** The upper bounds of its histogram, in seconds for a timer; empty if it has none. */
  public List<Double> buckets() {
    return buckets.bounds();
  }

  /**
   * Its name in Prometheus, with the default prefix: {@code duroxide_orchestration_starts_total}.
   */
  public String prometheusName() {
    return MicrometerTelemetry.DEFAULT_PREFIX + "_" + path.replace('.', '_') + type.suffix;
  }
}
