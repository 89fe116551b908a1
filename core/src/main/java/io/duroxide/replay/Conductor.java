package io.duroxide.replay;

import io.duroxide.api.Branch;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Limits;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.Outcome;
import io.duroxide.api.Selected;
import io.duroxide.model.ExecutionKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the code of one execution: its root and branches, one at a time.
 *
 * <p>Code that waits does not go back to the engine if it can help it: it pulls the next event
 * itself on its own thread, and gives the baton away only when other code must run or nothing is
 * left. So rebuilding a chain of steps needs no thread switch per step.
 *
 * <p>Order: an event makes those ready that wait for it, in the order in which they began to wait;
 * a branch that ends makes those ready that wait for it, ahead of all others. Both follow from the
 * code and its history alone.
 */
final class Conductor {
  /** Where the code's progress comes from. */
  interface Source {
    /** Applies the next event or records the next action; false when nothing is left. */
    boolean advance();
  }

  /** An action that is not matched or recorded yet, and the future it completes. */
  record Emission(Action action, @Nullable OperationFuture future) {}

  private final ExecutionKey execution;
  private final InstantSource clock;
  private final Limits limits;
  private final Watchdog watchdog;
  private final ArrayDeque<Coroutine> ready = new ArrayDeque<>(2);
  private final ArrayDeque<Emission> emitted = new ArrayDeque<>(2);
  private final Set<BranchFuture<?>> branches = new LinkedHashSet<>(0);
  private final List<BranchFuture<?>> endedBranches = new ArrayList<>(0);
  private final List<OperationFuture> abandoned = new ArrayList<>(0);
  private Source source = () -> false;
  private @Nullable Coroutine root;
  private volatile @Nullable Coroutine current;
  private volatile boolean awayOnBusiness;
  private @Nullable Coroutine handOver;
  private @Nullable Coroutine left;
  private int nesting;
  private @Nullable Finish finish;
  private @Nullable VirtualMachineError fatal;
  private volatile boolean dead;
  private boolean replaying;
  private long position;

  Conductor(ExecutionKey execution, EngineOptions options) {
    this.execution = execution;
    this.clock = options.clock();
    this.limits = options.limits();
    this.watchdog =
        new Watchdog(execution, options.blockingLimit(), () -> awayOnBusiness ? null : current);
  }

  // Engine side

  /**
   * Lets the code run until it ends or every part of it waits and the source is exhausted.
   *
   * @throws CodeLeft if the caller does not wait for that
   */
  void run(Source events, Runnable rootBody, Patience patience) {
    source = events;
    Coroutine next = root;
    if (next == null) {
      next = new Coroutine(execution.instance(), rootBody);
      root = next;
    } else {
      next = nextReady();
    }
    while (next != null) {
      step(next, patience);
      next = handOver == null ? nextReady() : handOver;
      handOver = null;
      if (next != null && patience.isOver()) {
        dead = true;
        throw new CodeLeft(execution + ": the turn is not waited for any longer");
      }
    }
    VirtualMachineError error = fatal;
    if (error != null) {
      throw error;
    }
  }

  private void step(Coroutine coroutine, Patience patience) {
    current = coroutine;
    try (Watchdog.Watch watch = watchdog.watch(patience)) {
      coroutine.resume(watch);
    } catch (CodeLeft e) {
      dead = true;
      left = coroutine;
      throw e;
    } catch (Watchdog.BlockedCode blocked) {
      // The verdict comes first: interrupted code runs on beside the engine and ends by itself.
      finish(new Finish.Panicked(Failures.blocked(blocked)));
      dead = true;
      blocked.coroutine().thread().interrupt();
    }
    current = null;
  }

  /** Waits until the code that the caller of a turn left behind has given the baton back. */
  void awaitLeft() {
    Coroutine coroutine = left;
    if (coroutine != null) {
      coroutine.awaitBaton();
      current = null;
      left = null;
    }
  }

  /** Pulls events until some code can proceed; null when none can any more. */
  private @Nullable Coroutine nextReady() {
    while (finish == null && fatal == null) {
      Coroutine next = ready.poll();
      if (next == null) {
        if (!source.advance()) {
          return null;
        }
      } else if (!next.ended() && !next.unwinding() && next.canProceed()) {
        return next;
      }
    }
    return null;
  }

  @Nullable Finish finished() {
    return finish;
  }

  void finish(Finish how) {
    if (finish == null) {
      finish = how;
    }
  }

  void fatal(VirtualMachineError error) {
    fatal = error;
  }

  /** Ends all code that is still parked; what it does meanwhile is ignored. */
  void unwindAll() {
    List<BranchFuture<?>> all = new ArrayList<>(branches);
    for (BranchFuture<?> branch : all.reversed()) {
      unwind(branch.coroutine());
    }
    if (root != null) {
      unwind(root);
    }
    branches.clear();
  }

  private void unwind(Coroutine coroutine) {
    coroutine.doom();
    if (coroutine.isParked()) {
      step(coroutine, Patience.ENDLESS);
    }
  }

  @Nullable Emission pollEmitted() {
    return emitted.poll();
  }

  /** What the code gave up since the last call. */
  List<OperationFuture> takeAbandoned() {
    List<OperationFuture> taken = List.copyOf(abandoned);
    abandoned.clear();
    return taken;
  }

  /** A branch that failed by accident and whose failure nobody saw. */
  @Nullable Throwable unseenFailure() {
    for (BranchFuture<?> branch : endedBranches) {
      Throwable failure = branch.unobservedFailure();
      if (failure != null && !Failures.isDeliberate(failure)) {
        return failure;
      }
    }
    return null;
  }

  void replaying(boolean value) {
    replaying = value;
  }

  /** The id of the event that is applied now. */
  void position(long eventId) {
    position = eventId;
  }

  long position() {
    return position;
  }

  boolean replaying() {
    return replaying;
  }

  // Code side

  /** Whether context calls have an effect: not while the calling code is being unwound. */
  boolean live() {
    Coroutine me = current;
    if (dead) {
      throw new Unwind();
    }
    if (me == null || !me.isCurrentThread()) {
      throw new IllegalStateException(
          execution
              + ": the context was used on thread '"
              + Thread.currentThread().getName()
              + "'; orchestration code must stay on its own thread, use ctx.async for parallel"
              + " steps and activities for everything else");
    }
    return !me.unwinding();
  }

  private Coroutine me() {
    Coroutine me = current;
    if (!live() || me == null) {
      throw me == null ? new Unwind() : me.unwind();
    }
    return me;
  }

  /** Asks for something that has no result. */
  void emit(Action action) {
    if (live()) {
      enqueue(new Emission(action, null));
    }
  }

  /** Asks for something; its future never completes if the code is being unwound. */
  OperationFuture schedule(Action action, ScheduleKind kind) {
    boolean live = live();
    Coroutine me = current;
    Coroutine owner = me == root ? null : me;
    OperationFuture future =
        action instanceof Action.DequeueEvent dequeue
            ? new DequeueFuture(this, dequeue, owner)
            : new OperationFuture(this, action, kind, owner);
    if (live) {
      enqueue(new Emission(action, future));
    }
    return future;
  }

  /** Code that asks for more and more without an await is stopped: it may never end by itself. */
  private void enqueue(Emission emission) {
    emitted.add(emission);
    LimitExcess excess = replaying ? null : LimitCheck.actions(emitted.size(), limits);
    if (excess != null) {
      finish(new Finish.Exceeded(excess));
      dead = true;
      throw new Unwind();
    }
  }

  DurableFuture<Instant> timer(Duration delay) {
    Instant fireAt = Times.plus(clock.instant(), delay);
    return schedule(new Action.CreateTimer(fireAt), ScheduleKind.TIMER)
        .map(text -> Instant.ofEpochMilli(Long.parseLong(text)));
  }

  void await(ReplayFuture<?> future) {
    block(List.of(future));
  }

  /**
   * Waits for the first of these; the others are given up. First is what the first event in history
   * made ready; of those that one event made ready, the lowest index.
   */
  <T> Selected<T> select(List<? extends ReplayFuture<? extends T>> futures) {
    if (futures.isEmpty()) {
      throw new IllegalArgumentException("select needs at least one operand");
    }
    block(futures);
    int winner = firstOf(futures);
    @SuppressWarnings("unchecked")
    ReplayFuture<T> chosen = (ReplayFuture<T>) futures.get(winner);
    Outcome<T> outcome = chosen.outcome();
    for (int i = 0; i < futures.size(); i++) {
      if (i != winner) {
        futures.get(i).abandon();
      }
    }
    return new Selected<>(winner, outcome);
  }

  private static int firstOf(List<? extends ReplayFuture<?>> futures) {
    int first = -1;
    long since = Long.MAX_VALUE;
    for (int i = 0; i < futures.size(); i++) {
      ReplayFuture<?> future = futures.get(i);
      if (future.ready() && (first < 0 || future.readySince() < since)) {
        first = i;
        since = future.readySince();
      }
    }
    return first;
  }

  /** Parks the calling code until one of these is ready. */
  private void block(List<? extends ReplayFuture<?>> futures) {
    Coroutine me = me();
    me.await(futures);
    if (me.canProceed()) {
      return;
    }
    futures.forEach(future -> future.addWaiter(me));
    try {
      do {
        pass(me);
      } while (!me.canProceed());
    } finally {
      futures.forEach(future -> future.removeWaiter(me));
    }
  }

  private void pass(Coroutine me) {
    if (nesting == 0) {
      Coroutine next = nextReady();
      if (next == me) {
        return;
      }
      handOver = next;
    }
    me.pause();
    if (dead || me.unwinding()) {
      throw me.unwind();
    }
  }

  /** Starts code beside the calling code and runs it until it first waits. */
  <T> DurableFuture<T> async(Branch<T> branch, OrchestrationContext context) {
    Coroutine me = me();
    BranchFuture<T> future = new BranchFuture<>(this, branch, context, me);
    branches.add(future);
    runInside(future.coroutine(), me);
    return future;
  }

  /**
   * Ends a branch that nobody wants any more with all it started, and gives up what they wait for.
   * The caller may be one of them: everything is given up before anybody leaves.
   */
  void discard(BranchFuture<?> branch) {
    List<Coroutine> doomed = new ArrayList<>();
    doom(branch, doomed);
    Coroutine me = current;
    if (me == null) {
      return;
    }
    for (Coroutine each : doomed) {
      if (each.isParked()) {
        nest(each, me);
      }
    }
    leaveIfDoomed(me);
  }

  private void doom(BranchFuture<?> branch, List<Coroutine> doomed) {
    branches.remove(branch);
    Coroutine coroutine = branch.coroutine();
    coroutine.doom();
    for (ReplayFuture<?> owned : coroutine.owned()) {
      if (owned instanceof BranchFuture<?> inner) {
        inner.giveUp();
        doom(inner, doomed);
      } else {
        owned.abandon();
      }
    }
    doomed.add(coroutine);
  }

  private void runInside(Coroutine inner, Coroutine me) {
    nest(inner, me);
    leaveIfDoomed(me);
  }

  private void nest(Coroutine inner, Coroutine me) {
    nesting++;
    current = inner;
    inner.resume(Watchdog.Watch.NONE);
    current = me;
    nesting--;
  }

  private void leaveIfDoomed(Coroutine me) {
    if (finish != null) {
      me.doom();
    }
    if (dead || me.unwinding()) {
      throw me.unwind();
    }
  }

  void branchEnded(BranchFuture<?> branch) {
    branches.remove(branch);
    if (branch.unobservedFailure() != null) {
      endedBranches.add(branch);
    }
  }

  /** Ends the execution in favour of the next one; does not return. */
  Unwind continueAsNew(Finish.ContinuedAsNew next) {
    Coroutine me = me();
    finish(next);
    me.doom();
    throw me.unwind();
  }

  /** Does something for the code that may block its thread; not what the watchdog looks for. */
  <T> T onBusiness(Supplier<T> business) {
    awayOnBusiness = true;
    try {
      return business.get();
    } finally {
      awayOnBusiness = false;
    }
  }

  void abandoned(OperationFuture future) {
    abandoned.add(future);
  }

  void makeReady(Coroutine coroutine) {
    ready.addLast(coroutine);
  }

  void makeReadyFirst(Coroutine coroutine) {
    ready.addFirst(coroutine);
  }
}
