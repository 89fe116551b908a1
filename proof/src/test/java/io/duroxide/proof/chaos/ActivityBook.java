package io.duroxide.proof.chaos;

import io.duroxide.api.ActivityContext;
import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import io.duroxide.proof.program.ActivityLedger;

/** Writes down what the activities of a node do. Thread-safe. */
final class ActivityBook implements ActivityLedger {
  private final Ledger ledger;
  private final String node;

  ActivityBook(Ledger ledger, String node) {
    this.ledger = ledger;
    this.node = node;
  }

  @Override
  public void begin(ActivityContext context, String input) {
    String session = context.routing().sessionId();
    ledger.add(
        new Entry.Began(
            node, work(context), session == null ? "" : session, System.currentTimeMillis()));
  }

  @Override
  public void end(ActivityContext context, String outcome) {
    ledger.add(new Entry.Ended(node, work(context), outcome, System.currentTimeMillis()));
  }

  private static Entry.Work work(ActivityContext context) {
    return new Entry.Work(
        context.key().instance(),
        context.key().executionId(),
        context.key().activityId(),
        context.attempt());
  }
}
