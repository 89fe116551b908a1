package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a store holds under one id, but for events, as of one moment and without locks.
 *
 * <p>Two instances whose {@link #renumbered} snapshots are equal cannot be told apart: whoever
 * fetches gets the same in the same order. Instants have milliseconds.
 *
 * @param head what clients see; null before a commit named the orchestration
 * @param currentExecution the largest execution that a turn has committed; 0 for none
 * @param executions by id; none if there are only messages and activities that wait for a start
 * @param values by layer and key
 * @param activities in queue order
 */
public record InstanceSnapshot(
    String id,
    @Nullable Head head,
    long currentExecution,
    List<ExecutionRow> executions,
    List<ValueRow> values,
    Inbox inbox,
    List<WorkRow> activities) {
  private static final Comparator<ValueRow> BY_LAYER =
      Comparator.comparing(ValueRow::pending).thenComparing(ValueRow::key);

  public InstanceSnapshot {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(inbox, "inbox");
    executions = List.copyOf(executions);
    values = told(values).sorted(BY_LAYER).toList();
    activities = List.copyOf(activities);
  }

  /** Without removals of what was not there, which some stores keep and others do not. */
  private static Stream<ValueRow> told(List<ValueRow> values) {
    Set<String> base =
        values.stream()
            .filter(value -> !value.pending())
            .map(ValueRow::key)
            .collect(Collectors.toSet());
    return values.stream().filter(value -> value.value() != null || base.contains(value.key()));
  }

  /** Whether there is nothing under the id. */
  public boolean isEmpty() {
    return executions.isEmpty() && inbox.messages().isEmpty() && activities.isEmpty();
  }

  /**
   * The same with queue positions counted from 1: a store that was not empty may have had to give
   * others, and nobody can tell.
   */
  public InstanceSnapshot renumbered() {
    List<MessageRow> messages = new ArrayList<>();
    for (MessageRow row : inbox.messages()) {
      messages.add(row.at(messages.size() + 1));
    }
    List<WorkRow> work = new ArrayList<>();
    for (WorkRow row : activities) {
      work.add(row.at(work.size() + 1));
    }
    Inbox counted = new Inbox(inbox.restsUntil(), inbox.mailboxes(), messages);
    return new InstanceSnapshot(id, head, currentExecution, executions, values, counted, work);
  }

  /** The row of the current execution; null if there is none. */
  public @Nullable ExecutionRow current() {
    return executions.stream()
        .filter(execution -> execution.id() == currentExecution)
        .findFirst()
        .orElse(null);
  }

  /** The key of one of its executions. */
  public ExecutionKey key(ExecutionRow execution) {
    return new ExecutionKey(id, execution.id());
  }

  /** What clients see of an instance, besides its current execution. */
  public record Head(
      OrchestrationIdentity orchestration,
      @Nullable ParentLink parent,
      CustomStatus customStatus,
      Instant createdAt,
      Instant updatedAt) {
    public Head {
      Objects.requireNonNull(orchestration, "orchestration");
      Objects.requireNonNull(customStatus, "customStatus");
      Objects.requireNonNull(createdAt, "createdAt");
      Objects.requireNonNull(updatedAt, "updatedAt");
    }
  }

  /**
   * An execution.
   *
   * @param lastEvent its largest event id; 0 for none
   * @param version of the orchestration, as the last commit said that named it
   * @param carried how many messages were carried into it
   */
  public record ExecutionRow(
      ExecutionInfo info, long lastEvent, @Nullable String version, long carried) {
    public ExecutionRow {
      Objects.requireNonNull(info, "info");
    }

    public long id() {
      return info.executionId();
    }

    /** The framework version it is pinned to; null for none. */
    public @Nullable ExecutionPin pin() {
      return info.pin();
    }
  }

  /**
   * A key-value entry.
   *
   * @param value null if the running execution has removed it
   * @param pending whether the running execution has written it, so that a replay must not see it
   */
  public record ValueRow(String key, @Nullable String value, Instant updatedAt, boolean pending) {
    public ValueRow {
      Objects.requireNonNull(key, "key");
      Objects.requireNonNull(updatedAt, "updatedAt");
    }
  }

  /**
   * The orchestrator queue of the instance.
   *
   * @param restsUntil before which it must not be fetched, after it was given back with a delay
   * @param mailboxes how much of its mailboxes may be delivered
   * @param messages in enqueue order
   */
  public record Inbox(
      @Nullable Instant restsUntil, MailboxRules mailboxes, List<MessageRow> messages) {
    public Inbox {
      Objects.requireNonNull(mailboxes, "mailboxes");
      messages = List.copyOf(messages);
    }
  }

  /**
   * A message.
   *
   * @param position where it stands among all messages of the store
   * @param attempts how often it was fetched, also under a lock that is not copied
   * @param item in its stored form
   */
  public record MessageRow(
      long position, Instant visibleAt, Instant enqueuedAt, int attempts, String item) {
    public MessageRow {
      Objects.requireNonNull(visibleAt, "visibleAt");
      Objects.requireNonNull(enqueuedAt, "enqueuedAt");
      Objects.requireNonNull(item, "item");
    }

    MessageRow at(long newPosition) {
      return new MessageRow(newPosition, visibleAt, enqueuedAt, attempts, item);
    }
  }

  /**
   * An activity.
   *
   * @param position where it stands among all activities of the store
   * @param visibleAt when it can be fetched; null if nothing but a lock stands in the way
   * @param attempts how often it was fetched, also under a lock that is not copied
   * @param item in its stored form
   */
  public record WorkRow(long position, @Nullable Instant visibleAt, int attempts, String item) {
    public WorkRow {
      Objects.requireNonNull(item, "item");
    }

    WorkRow at(long newPosition) {
      return new WorkRow(newPosition, visibleAt, attempts, item);
    }
  }

  /**
   * An event.
   *
   * @param data in its stored form, which nobody has to understand
   */
  public record EventRow(long id, String data) {
    public EventRow {
      Objects.requireNonNull(data, "data");
    }
  }
}
