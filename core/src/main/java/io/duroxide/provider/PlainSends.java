package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sends for stores that do not check them: an end is told if it shows before the messages are
 * queued, and an instance that is not there counts as one whose start is queued.
 */
final class PlainSends {
  private final Provider store;

  PlainSends(Provider store) {
    this.store = store;
  }

  SendAnswer send(Sending sending) {
    Sending.Opening opening = sending.opening();
    Optional<InstanceStatus> status = store.status(sending.instance());
    boolean hasEnded = status.filter(known -> known.status().endsInstance()).isPresent();
    if (opening == null) {
      return hasEnded ? SendAnswer.ENDED : queue(sending.messages());
    }
    return switch (opening.rule()) {
      case JOIN -> hasEnded ? SendAnswer.ENDED : start(opening, sending.messages());
      case NEW -> throw ProviderException.notOffered("send");
      case RESTART -> {
        if (hasEnded) {
          throw ProviderException.notOffered("send");
        }
        yield start(opening, sending.messages());
      }
    };
  }

  private SendAnswer start(Sending.Opening opening, List<WorkItem> messages) {
    if (opening.delay().isPositive()) {
      store.enqueueForOrchestrator(opening.start(), opening.delay());
      return queue(messages);
    }
    List<WorkItem> all = new ArrayList<>(messages);
    all.addFirst(opening.start());
    return queue(all);
  }

  private SendAnswer queue(List<WorkItem> items) {
    if (items.size() == 1) {
      store.enqueueForOrchestrator(items.getFirst(), Duration.ZERO);
    } else if (!items.isEmpty()) {
      store.enqueueForOrchestrator(items);
    }
    return SendAnswer.ACCEPTED;
  }
}
