package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import java.time.Duration;
import java.util.Optional;

/** What a client sends, if its instance can take it. Guarded by the gate. */
record CheckedSend(Tables tables, Sending sending) {
  private static final String OPERATION = "send";

  /** Refuses what no instance could take. */
  static void check(Sending sending) {
    sending.messages().forEach(message -> OrchestratorQueue.check(OPERATION, message));
    if (sending.opening() != null) {
      OrchestratorQueue.check(OPERATION, sending.opening().start());
    }
  }

  SendAnswer run() {
    Optional<Instance> ended =
        tables.instances().find(sending.instance()).filter(Instance::hasEnded);
    Sending.Opening opening = sending.opening();
    if (opening == null) {
      return ended.isPresent() ? SendAnswer.ENDED : messagesAlone();
    }
    if (!isThere()) {
      tables.orchestratorQueue().enqueue(opening.start(), opening.delay());
      return queued();
    }
    return switch (opening.rule()) {
      case NEW -> SendAnswer.EXISTS;
      case JOIN -> ended.isPresent() ? SendAnswer.ENDED : queued();
      case RESTART -> {
        ended.ifPresent(instance -> restart(instance, opening));
        yield queued();
      }
    };
  }

  private SendAnswer messagesAlone() {
    boolean reaches = isThere() || sending.orphans() == OrphanQueuePolicy.HOLD;
    return reaches ? queued() : SendAnswer.UNKNOWN;
  }

  private boolean isThere() {
    return tables.instances().isKnown(sending.instance())
        || tables.orchestratorQueue().hasStart(sending.instance());
  }

  private SendAnswer queued() {
    for (WorkItem message : sending.messages()) {
      tables
          .orchestratorQueue()
          .enqueue(OrchestratorQueue.check(OPERATION, message), Duration.ZERO);
    }
    return SendAnswer.ACCEPTED;
  }

  private void restart(Instance instance, Sending.Opening opening) {
    tables.instances().disown(instance);
    instance.restart(tables.now());
    OrchestratorQueue queue = tables.orchestratorQueue();
    queue.dropStarts(instance.id());
    queue.enqueue(opening.start(), Duration.ZERO);
    if (opening.delay().isPositive()) {
      queue.restFor(instance.id(), opening.delay());
    }
  }
}
