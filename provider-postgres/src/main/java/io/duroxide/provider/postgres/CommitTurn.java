package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.TurnCommit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one turn, whatever caused it; answers with nothing if something else has happened.
 */
final class CommitTurn extends Command<Optional<CommittedTurn>> {
  static final String OPERATION = "commitTurn";

  private final Tokens.Turn lock;
  private final TurnCommit commit;
  private final TurnParts parts;
  private final List<Order> orders;
  private final @Nullable Step step;
  private final String row;

  /**
   * The end of the activity whose outcome caused the turn, in place of a lock.
   *
   * @param activity its lock
   * @param tip the commit that nothing may have followed
   * @param lastEvent the last event of that commit
   */
  record Step(Tokens.Work activity, Tokens.Turn tip, long lastEvent) {}

  /**
   * A turn that is stored if its source allows it.
   *
   * @param lock of the instance; for a turn without one it names the commit
   * @param step what caused it, if that was an activity
   */
  CommitTurn(
      Tokens.Turn lock,
      @Nullable Step step,
      TurnCommit commit,
      TurnParts parts,
      List<Order> orders) {
    super(OPERATION);
    this.lock = lock;
    this.step = step;
    this.commit = commit;
    this.parts = parts;
    this.orders = orders;
    this.row = TurnRow.of(this);
  }

  Tokens.Turn lock() {
    return lock;
  }

  /** The id of its instance. */
  String instance() {
    return lock.instance();
  }

  /** Whether its instance is to be new. */
  boolean isNew() {
    return lock.isNew();
  }

  /**
   * Whether it can begin its instance: it names it, and is the first turn of the first execution.
   */
  boolean isFirst() {
    ExecutionMetadata metadata = commit.metadata();
    return commit.executionId() == ExecutionKey.FIRST
        && metadata.orchestrationName() != null
        && metadata.orchestrationVersion() != null;
  }

  TurnCommit commit() {
    return commit;
  }

  TurnParts parts() {
    return parts;
  }

  /** The activities of the turn, claimed or not. */
  List<Order> orders() {
    return orders;
  }

  @Nullable Step step() {
    return step;
  }

  /** As functions take it; written by the caller, so that lanes need not. */
  String row() {
    return row;
  }

  /**
   * Notes how it ended; true if the turn was committed.
   *
   * @param key the number of its instance
   */
  boolean conclude(int verdict, long key, @Nullable PruneOutcome prune) {
    switch (verdict) {
      case TurnCommits.COMMITTED, TurnCommits.COMMITTED_BEFORE -> {
        Tokens.Turn name = new Tokens.Turn(key, lock.secret(), lock.instance());
        List<LockedWork> claimed =
            orders.stream().flatMap(order -> order.claimedFor(name).stream()).toList();
        succeed(Optional.of(new CommittedTurn(name.text(), prune, claimed)));
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
