package io.duroxide.client;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores what a client sends and says what was refused.
 *
 * @param orphans what nodes do with mailbox messages for unknown instances; null goes by the nodes
 *     of the process
 */
record Outbox(Provider store, Delivery delivery, @Nullable OrphanQueuePolicy orphans) {

  /** Sends a message to an instance. */
  void send(WorkItem message) {
    if (delivery == Delivery.UNCHECKED) {
      store.enqueueForOrchestrator(message, Duration.ZERO);
    } else {
      require(message.instance(), store.send(Sending.of(message, orphansOf(message))));
    }
  }

  /** Anything but a mailbox message always waits for its instance. */
  private OrphanQueuePolicy orphansOf(WorkItem message) {
    if (!(message instanceof WorkItem.QueueMessage)) {
      return OrphanQueuePolicy.HOLD;
    }
    return orphans == null ? store.localBus().orphanPolicy() : orphans;
  }

  /** Starts an instance. */
  void start(WorkItem.StartOrchestration start, StartOptions options) {
    Duration delay = options.delay();
    switch (options.reuse()) {
      case RETURN_EXISTING -> {
        if (!(delay.isZero() && store.localBus().offer(start))) {
          store.enqueueForOrchestrator(start, delay);
        }
      }
      case REJECT -> startNew(start, delay);
      case RESTART_IF_TERMINAL -> open(start, options, List.of());
    }
  }

  /** The store decides, with the step that makes the instance. */
  private void startNew(WorkItem.StartOrchestration start, Duration delay) {
    try {
      store.startNew(start, delay);
    } catch (ProviderException refused) {
      if (refused.kind() == ProviderException.Kind.ALREADY_EXISTS) {
        throw exists(start.instance());
      }
      throw refused;
    }
  }

  /** Starts an instance, or finds it, and gives it messages. */
  void startWith(WorkItem.StartOrchestration start, StartOptions options, List<WorkItem> messages) {
    boolean isBlind =
        delivery == Delivery.UNCHECKED
            && options.reuse() == StartOptions.Reuse.RETURN_EXISTING
            && options.delay().isZero();
    if (isBlind) {
      List<WorkItem> all = new ArrayList<>(messages);
      all.addFirst(start);
      store.enqueueForOrchestrator(all);
    } else {
      open(start, options, messages);
    }
  }

  private void open(
      WorkItem.StartOrchestration start, StartOptions options, List<WorkItem> messages) {
    Sending.Rule rule =
        switch (options.reuse()) {
          case RETURN_EXISTING -> Sending.Rule.JOIN;
          case REJECT -> Sending.Rule.NEW;
          case RESTART_IF_TERMINAL -> Sending.Rule.RESTART;
        };
    Sending.Opening opening = new Sending.Opening(start, options.delay(), rule);
    require(start.instance(), store.send(Sending.of(opening, messages)));
  }

  private static void require(String instance, SendAnswer answer) {
    switch (answer) {
      case ACCEPTED -> {}
      case ENDED ->
          throw new ClientException.InstanceEnded(
              "instance '" + instance + "' has ended and takes no more messages");
      case UNKNOWN ->
          throw new ClientException.InstanceNotFound(
              "instance '" + instance + "' is unknown; start it first");
      case EXISTS -> throw exists(instance);
    }
  }

  private static ClientException exists(String instance) {
    return new ClientException.InstanceExists(
        "instance '" + instance + "' exists already; choose another id");
  }
}
