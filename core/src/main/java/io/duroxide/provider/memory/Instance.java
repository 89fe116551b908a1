package io.duroxide.provider.memory;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.Head;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrchestrationIdentity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What commits stored of an instance. It has executions from its first commit on, but exists for
 * clients only once a commit named its orchestration. Guarded by the gate.
 */
final class Instance {
  private final String id;
  private final NavigableMap<Long, Execution> executions = new TreeMap<>();
  private final KvLayers kv = new KvLayers();
  private @Nullable OrchestrationIdentity orchestration;
  private @Nullable ParentLink parent;
  private long currentExecutionId;
  private CustomStatus customStatus = new CustomStatus(null, 0);
  private MailboxRules mailboxes = MailboxRules.FIRST;
  private String lastCommitToken = "";
  private Instant createdAt;
  private Instant updatedAt;

  Instance(String id, Instant now) {
    this.id = id;
    this.createdAt = now;
    this.updatedAt = now;
  }

  String id() {
    return id;
  }

  /** Remembers which lock the newest commit was made under. */
  void committedBy(String lockToken) {
    lastCommitToken = lockToken;
  }

  /** How much of its mailboxes may be delivered. */
  MailboxRules mailboxes() {
    return mailboxes;
  }

  void mailboxes(MailboxRules rules) {
    mailboxes = rules;
  }

  boolean lastCommittedBy(String lockToken) {
    return lastCommitToken.equals(lockToken);
  }

  /** Whether a commit created the row that clients see. */
  boolean exists() {
    return orchestration != null;
  }

  /** Whether clients see it and it has come to its end. */
  boolean hasEnded() {
    return exists() && isFinished();
  }

  /** The recorded name and version; nothing before the row exists. */
  Optional<OrchestrationIdentity> orchestration() {
    return Optional.ofNullable(orchestration);
  }

  /** Name and version as the row has them, else as the latest history does. */
  Optional<OrchestrationIdentity> recorded() {
    return orchestration()
        .or(() ->
            latest()
                .flatMap(Execution::start)
                .map(start -> new OrchestrationIdentity(start.name(), start.version())));
  }

  /** Who asked for it; null for a root. */
  @Nullable ParentLink parentLink() {
    return parent;
  }

  @Nullable String parent() {
    return parent == null ? null : parent.instance();
  }

  CustomStatus customStatus() {
    return customStatus;
  }

  Instant createdAt() {
    return createdAt;
  }

  Instant updatedAt() {
    return updatedAt;
  }

  KvLayers kv() {
    return kv;
  }

  NavigableMap<Long, Execution> executions() {
    return executions;
  }

  /** The execution with the largest stored id. */
  Optional<Execution> latest() {
    return Optional.ofNullable(executions.lastEntry()).map(Map.Entry::getValue);
  }

  /** The current execution's key; without a row that of the latest execution. */
  ExecutionKey currentKey() {
    return exists()
        ? new ExecutionKey(id, currentExecutionId)
        : latest().map(Execution::key).orElse(new ExecutionKey(id, ExecutionKey.FIRST));
  }

  /** The id of the newest execution that a commit wrote. */
  long committedExecutionId() {
    return currentExecutionId;
  }

  @Nullable Execution current() {
    return executions.get(currentKey().executionId());
  }

  /** Whether {@code key} is the current execution and has no event behind {@code event}. */
  boolean endsAt(ExecutionKey key, long event) {
    Execution current = current();
    return current != null && currentKey().equals(key) && current.newestEvent() == event;
  }

  /** The status of the current execution. */
  ExecutionStatus status() {
    Execution current = current();
    return current == null ? ExecutionStatus.RUNNING : current.status();
  }

  /** What the current execution ended with. */
  @Nullable String output() {
    Execution current = current();
    return current == null ? null : current.output();
  }

  /** When the current execution ended; null while it has not. */
  @Nullable Instant completedAt() {
    Execution current = current();
    return current == null ? null : current.completedAt();
  }

  /** Whether it has come to its end; between two executions it has not. */
  boolean isFinished() {
    return status().endsInstance();
  }

  Execution executionOrNew(long executionId, Instant now) {
    return executions.computeIfAbsent(
        executionId, any -> new Execution(new ExecutionKey(id, executionId), now));
  }

  /** Creates or updates the row from a commit of {@code executionId}. */
  void note(ExecutionMetadata metadata, long executionId, Instant now) {
    String name = metadata.orchestrationName();
    String version = metadata.orchestrationVersion();
    if (name != null && version != null) {
      if (orchestration == null) {
        parent = metadata.parent();
        createdAt = now;
      }
      orchestration = new OrchestrationIdentity(name, version);
    }
    currentExecutionId = Math.max(currentExecutionId, executionId);
    updatedAt = now;
  }

  /** Begins the next execution of an instance that has ended; its start brings the first event. */
  void restart(Instant now) {
    currentExecutionId = Math.max(currentExecutionId, executions.lastKey()) + 1;
    executionOrNew(currentExecutionId, now);
    parent = null;
    lastCommitToken = "";
    if (customStatus.status() != null) {
      customStatus = new CustomStatus(null, customStatus.version() + 1);
    }
    updatedAt = now;
  }

  /** Whether the current execution has yet to begin with a start that is queued. */
  boolean awaitsStart() {
    Execution current = current();
    return exists() && current != null && current.eventCount() == 0;
  }

  /** The row as clients see it; null before it exists. */
  @Nullable Head head() {
    return orchestration == null
        ? null
        : new Head(orchestration, parent, customStatus, createdAt, updatedAt);
  }

  /** Takes over what another store had, but for executions. */
  void restore(InstanceSnapshot snapshot) {
    Head head = snapshot.head();
    if (head != null) {
      orchestration = head.orchestration();
      parent = head.parent();
      customStatus = head.customStatus();
      createdAt = head.createdAt();
      updatedAt = head.updatedAt();
    }
    currentExecutionId = snapshot.currentExecution();
    mailboxes = snapshot.inbox().mailboxes();
    kv.restore(snapshot.values());
  }

  /** The last custom status of a commit decides; the version rises once. */
  void noteCustomStatus(List<Event> delta) {
    if (!exists()) {
      return;
    }
    for (Event event : delta.reversed()) {
      if (event.kind() instanceof EventKind.CustomStatusUpdated updated) {
        customStatus = new CustomStatus(updated.status(), customStatus.version() + 1);
        return;
      }
    }
  }
}
