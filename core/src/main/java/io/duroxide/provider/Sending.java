package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends to one instance, if the instance can take it.
 *
 * @param instance whom it is for
 * @param opening the start that goes with it; null for messages alone
 * @param messages in order, visible at once; neither starts nor activities
 * @param orphans whether messages alone are kept for an instance that nobody knows
 */
public record Sending(
    String instance,
    @Nullable Opening opening,
    List<WorkItem> messages,
    OrphanQueuePolicy orphans) {
  public Sending {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(orphans, "orphans");
    messages = List.copyOf(messages);
    for (WorkItem message : messages) {
      boolean isMail =
          message instanceof WorkItem.ForOrchestrator && !(message instanceof WorkItem.StartLike);
      if (!isMail || !message.instance().equals(instance)) {
        throw new IllegalArgumentException("not a message for " + instance + ": " + message);
      }
    }
    if (opening != null && !opening.start().instance().equals(instance)) {
      throw new IllegalArgumentException("not a start of " + instance + ": " + opening.start());
    }
  }

  /** One message. */
  public static Sending of(WorkItem message, OrphanQueuePolicy orphans) {
    return new Sending(message.instance(), null, List.of(message), orphans);
  }

  /** A start and the first messages. */
  public static Sending of(Opening opening, List<? extends WorkItem> messages) {
    return new Sending(
        opening.start().instance(), opening, List.copyOf(messages), OrphanQueuePolicy.DROP);
  }

  /**
   * A start.
   *
   * @param delay how long the first turn has to wait, and everything else with it
   * @param rule what to do if the instance is there
   */
  public record Opening(WorkItem.StartOrchestration start, Duration delay, Rule rule) {
    public Opening {
      Objects.requireNonNull(start, "start");
      Objects.requireNonNull(delay, "delay");
      Objects.requireNonNull(rule, "rule");
    }
  }

  /** What becomes of a start whose instance is there, or has another start queued. */
  public enum Rule {
    /**
     * It is left out, and the messages go to the instance; if that has ended, nothing is stored.
     */
    JOIN,
    /** Nothing is stored. */
    NEW,
    /** As {@link #JOIN}, but an instance that has ended begins its next execution. */
    RESTART
  }
}
