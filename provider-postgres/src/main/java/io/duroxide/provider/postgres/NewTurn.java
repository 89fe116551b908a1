package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
import io.duroxide.provider.TurnCommit;
import java.util.List;

/** A turn that is to be stored. */
interface NewTurn {
  /** The id of its instance. */
  String instance();

  TurnCommit commit();

  TurnParts parts();

  /** The activities of the turn, claimed or not. */
  List<Order> orders();

  /** Whether it has events, metadata and activities of its own execution, and nothing else. */
  default boolean isUsual() {
    return parts().values().isEmpty()
        && parts().customStatus() == null
        && parts().messages().isEmpty()
        && commit().prune() == null
        && commit().cancelledActivities().isEmpty()
        && orders().stream().allMatch(order -> isOwn(order.work().key()));
  }

  /** Whether its events go up one by one, and it asks for one activity at most. */
  default boolean isSmall() {
    return orders().size() <= 1 && parts().hasConsecutiveEvents();
  }

  private boolean isOwn(ActivityKey activity) {
    return activity.instance().equals(instance())
        && activity.executionId() == commit().executionId();
  }
}
