package io.duroxide.provider.postgres;

import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommitWatchers;
import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StartCommit;
import io.duroxide.provider.StepCommit;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What stands before and behind a lane: turns as callers know them. Thread-safe. */
final class Turns {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");

  private final Reads reads;
  private final Lanes lanes;
  private final Tokens tokens;
  private final CommitWatchers watchers = new CommitWatchers();

  Turns(Reads reads, Lanes lanes, Tokens tokens) {
    this.reads = reads;
    this.lanes = lanes;
    this.tokens = tokens;
  }

  /** Decodes fetched turns, with as much of their past as the caller does not have. */
  List<LockedOrchestration> read(List<RawTurn> turns, CachedHistory cached) {
    List<LockedOrchestration> locked = new ArrayList<>(turns.size());
    try {
      for (RawTurn turn : turns) {
        locked.add(turn.decoded(past(turn, cached)));
      }
      return locked;
    } catch (ProviderException failure) {
      turns.forEach(this::release);
      throw failure;
    }
  }

  private RawTurn.Past past(RawTurn turn, CachedHistory cached) {
    long kept = kept(turn, cached.tip(turn.execution()));
    RawTurn.Past known = turn.past();
    if (known != null) {
      return kept == 0 ? known : known.after(kept);
    }
    return kept > 0 && kept == turn.lastEvent()
        ? new RawTurn.Past(kept, List.of(), Map.of())
        : reads.past(turn, kept);
  }

  /** The caller's newest event, if it is one of this very instance and not of a namesake's. */
  private static long kept(RawTurn turn, CachedHistory.@Nullable Tip tip) {
    if (tip == null) {
      return 0;
    }
    Tokens.Turn commit = Tokens.turn(tip.commitToken());
    boolean same = commit != null && commit.key() == turn.lock().key();
    return same && tip.lastEventId() <= turn.lastEvent() ? Math.max(0, tip.lastEventId()) : 0;
  }

  /** A fetch that fails leaves no lock and counts no attempt. */
  private void release(RawTurn turn) {
    try {
      lanes.call(KeepTurn.abandon(turn.lock().text(), Duration.ZERO, true));
    } catch (ProviderException expires) {
      LOG.debug("could not release {}: {}", turn.lock().instance(), expires.getMessage());
    }
  }

  /** Commits the turn that {@code token} holds. */
  CommittedTurn commit(String token, TurnCommit commit, WorkClaim claim) {
    Tokens.Turn lock = Tokens.turn(CommitTurn.OPERATION, token);
    TurnParts parts = parts(lock, commit);
    List<Order> orders = Order.of(lock.instance(), parts, claim, tokens);
    Optional<CommittedTurn> committed = lanes.call(new CommitTurn(lock, commit, parts, orders));
    watchers.tell(lock.instance(), commit);
    return committed.orElse(CommittedTurn.PLAIN);
  }

  /** A commit as it is stored. What no store could accept is told only to whoever has the lock. */
  private TurnParts parts(Tokens.Turn lock, TurnCommit commit) {
    try {
      return TurnParts.of(CommitTurn.OPERATION, commit);
    } catch (ProviderException notStorable) {
      if (!reads.isHeld(lock)) {
        throw Refusal.lockLost(CommitTurn.OPERATION, lock.text());
      }
      throw notStorable;
    }
  }

  /** Ends the activity that {@code token} holds together with the turn it causes, if possible. */
  Optional<CommittedStep> commit(String token, StepCommit step) {
    Tokens.Work activity = Tokens.work(CommitTurn.STEP_OPERATION, token);
    Tokens.Turn tip = Tokens.turn(step.tip().commitToken());
    if (tip == null || !tip.instance().equals(step.execution().instance())) {
      return Optional.empty();
    }
    TurnCommit turn = step.turn();
    TurnParts parts =
        activity.held()
            ? TurnParts.ofHeld(CommitTurn.STEP_OPERATION, turn)
            : TurnParts.of(CommitTurn.STEP_OPERATION, turn);
    List<Order> orders = Order.of(tip.instance(), parts, step.claim(), tokens);
    Tokens.Turn name = new Tokens.Turn(tip.key(), tokens.secret(), tip.instance());
    Optional<CommittedTurn> committed =
        lanes.call(
            new CommitTurn(
                new CommitTurn.Step(activity, tip, step.tip().lastEventId()),
                name,
                turn,
                parts,
                orders));
    committed.ifPresent(any -> watchers.tell(tip.instance(), turn));
    return committed.map(done -> new CommittedStep(name.text(), done));
  }

  /** Stores a new instance with its first turn, if possible. */
  Optional<CommittedStep> begin(StartCommit start) {
    String instance = start.start().instance();
    TurnCommit turn = start.turn();
    TurnParts parts = TurnParts.of(Begin.OPERATION, turn);
    List<Order> orders = Order.of(instance, parts, start.claim(), tokens);
    Begin begin = new Begin(instance, tokens.secret(), turn, parts, orders);
    if (!begin.isPossible()) {
      lanes.checkOpen(Begin.OPERATION);
      return Optional.empty();
    }
    Optional<CommittedStep> begun = lanes.call(begin);
    begun.ifPresent(any -> watchers.tell(instance, turn));
    return begun;
  }

  Subscription watch(String instance, Consumer<? super TurnCommit> listener) {
    return watchers.watch(instance, listener);
  }
}
