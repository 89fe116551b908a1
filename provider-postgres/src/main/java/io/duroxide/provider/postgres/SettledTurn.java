package io.duroxide.provider.postgres;

/** A committed turn and when its instance has its next message. */
record SettledTurn(CommitTurn turn, long next) {

  /** Says what the turn has made ready. */
  void announce(long now, Wakes turns, Wakes work) {
    for (Order order : turn.orders()) {
      if (order.lock() == null) {
        work.ready(1);
      } else {
        work.later(now + order.lock());
      }
    }
    for (NewMessage message : turn.parts().messages()) {
      message.announce(turns, message.fireAt() > 0 ? message.fireAt() : now, now);
    }
    if (next > now) {
      turns.later(next);
    } else {
      turns.ready(1);
    }
  }
}
