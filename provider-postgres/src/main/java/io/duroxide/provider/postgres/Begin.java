package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TurnCommit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A new instance and its first turn; answers with nothing if the store knows the instance. */
final class Begin extends Command<Optional<CommittedStep>> implements NewTurn {
  static final String OPERATION = "ackStart";

  private final String instance;
  private final UUID secret;
  private final TurnCommit commit;
  private final TurnParts parts;
  private final List<Order> orders;

  /**
   * A start that is not stored yet.
   *
   * @param secret of the token that names the commit
   */
  Begin(String instance, UUID secret, TurnCommit commit, TurnParts parts, List<Order> orders) {
    super(OPERATION);
    this.instance = instance;
    this.secret = secret;
    this.commit = commit;
    this.parts = parts;
    this.orders = orders;
  }

  @Override
  public String instance() {
    return instance;
  }

  UUID secret() {
    return secret;
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

  /** Whether it can be stored in one go: it names its instance and is of the usual kind. */
  boolean isPossible() {
    ExecutionMetadata metadata = commit.metadata();
    return commit.executionId() == ExecutionKey.FIRST
        && metadata.orchestrationName() != null
        && metadata.orchestrationVersion() != null
        && isUsual();
  }

  /** The instance was stored under this number. */
  void begun(long key) {
    Tokens.Turn name = new Tokens.Turn(key, secret, instance);
    List<LockedWork> claimed =
        orders.stream().flatMap(order -> order.claimedFor(name, false).stream()).toList();
    succeed(Optional.of(new CommittedStep(name.text(), new CommittedTurn(null, claimed))));
  }
}
