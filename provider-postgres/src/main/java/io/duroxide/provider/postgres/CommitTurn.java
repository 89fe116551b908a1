package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.TurnCommit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The commit of one turn; answers with nothing if it was a step that could not be taken. */
final class CommitTurn extends Command<Optional<CommittedTurn>> implements NewTurn {
  static final String OPERATION = "ackOrchestrationItem";
  static final String STEP_OPERATION = "ackStep";

  private final Tokens.Turn lock;
  private final TurnCommit commit;
  private final TurnParts parts;
  private final List<Order> orders;
  private final @Nullable Step step;
  private boolean declined;
  private boolean concluded;

  /**
   * The end of the activity whose outcome caused the turn, in place of a lock.
   *
   * @param activity its lock
   * @param tip the commit that nothing may have followed
   * @param lastEvent the last event of that commit
   */
  record Step(Tokens.Work activity, Tokens.Turn tip, long lastEvent) {}

  /** A turn whose instance is locked. */
  CommitTurn(Tokens.Turn lock, TurnCommit commit, TurnParts parts, List<Order> orders) {
    super(OPERATION);
    this.lock = lock;
    this.commit = commit;
    this.parts = parts;
    this.orders = orders;
    this.step = null;
  }

  /**
   * A turn that follows from an activity.
   *
   * @param name names the new commit
   */
  CommitTurn(Step step, Tokens.Turn name, TurnCommit commit, TurnParts parts, List<Order> orders) {
    super(STEP_OPERATION);
    this.lock = name;
    this.commit = commit;
    this.parts = parts;
    this.orders = orders;
    this.step = step;
  }

  Tokens.Turn lock() {
    return lock;
  }

  @Override
  public String instance() {
    return lock.instance();
  }

  @Override
  public TurnCommit commit() {
    return commit;
  }

  @Override
  public TurnParts parts() {
    return parts;
  }

  @Override
  public List<Order> orders() {
    return orders;
  }

  @Nullable Step step() {
    return step;
  }

  /** Whether its instance held the activity that ends with it. */
  boolean endsHeld() {
    return step != null && step.activity().held();
  }

  /** The short way does not lead there. */
  void decline() {
    declined = true;
  }

  boolean isDeclined() {
    return declined;
  }

  /** Whether it has yet to go the general way. */
  boolean isOpen() {
    return declined && !concluded;
  }

  /** Notes how it ended; true if the turn was committed. */
  boolean conclude(int verdict, @Nullable PruneOutcome prune) {
    concluded = true;
    switch (verdict) {
      case TurnCommits.COMMITTED, TurnCommits.COMMITTED_BEFORE, LoneStep.HELD -> {
        boolean held = verdict == LoneStep.HELD;
        List<LockedWork> claimed =
            orders.stream().flatMap(order -> order.claimedFor(lock, held).stream()).toList();
        succeed(Optional.of(new CommittedTurn(prune, claimed)));
        return true;
      }
      case TurnCommits.DUPLICATE -> {
        ExecutionKey execution = new ExecutionKey(lock.instance(), commit.executionId());
        fail(Refusal.duplicateEvent(operation(), execution.toString()));
      }
      case TurnCommits.OVERTAKEN -> succeed(Optional.empty());
      default ->
          fail(Refusal.lockLost(operation(), step == null ? lock.text() : step.activity().text()));
    }
    return false;
  }
}
