package io.duroxide.provider.postgres;

import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An activity that a turn asks for.
 *
 * @param secret of its lock, if whoever commits the turn runs it; null leaves it to the queue
 * @param lock how long that lock lasts
 */
record Order(NewWork work, @Nullable UUID secret, @Nullable Long lock) {

  /** The activities of a turn of {@code instance}. */
  static List<Order> of(
      String instance, TurnCommit commit, TurnParts parts, WorkClaim claim, Tokens tokens) {
    return parts.activities().stream()
        .map(work ->
            claim.includes(instance, work.key(), commit)
                ? new Order(work, tokens.secret(), Millis.of(claim.lockTimeout()))
                : new Order(work, null, null))
        .toList();
  }

  /** What the committer of {@code turn} runs. */
  Optional<LockedWork> claimedFor(Tokens.Turn turn) {
    if (secret == null) {
      return Optional.empty();
    }
    Tokens.Work token =
        new Tokens.Work(turn.key(), work.key().executionId(), work.key().activityId(), secret);
    return Optional.of(new LockedWork(work.key(), work.item(), null, token.text(), 1));
  }
}
