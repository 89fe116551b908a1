package io.duroxide.provider;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where fetches of a provider wait for work that is not there yet.
 *
 * <p>Waiters that look for the same sit on one bench. Each thing that becomes ready gives a bench
 * one permit, and a waiter with a permit looks again. One waiter of each bench, its leader, minds
 * the time: it looks when something that is known turns ready, and after the fall-back in any case,
 * unless nothing has changed since it last looked. A leader that leaves gives its neighbour a
 * permit, so that the next one knows the time too.
 *
 * <p>A look tells at which generation it was made; whoever wants to wait with an older one looks
 * again instead, so nothing is missed between a look and the wait. For the same reason whoever
 * comes while it is still that generation, and wants the same as one that took all there was, waits
 * without a look.
 *
 * <p>Whoever is about to make something ready may call a waiter, and search for it in the same
 * transaction. Instants are milliseconds since the epoch. Thread-safe.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // Changed under the lock, read anywhere.
public final class WaitingRoom {
  /** Later than anything. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_REMEMBERED = 64;

  private final InstantSource clock;
  private final Supplier<Duration> fallback;
  private final LongSupplier changes;
  private final LongSupplier nanos = SystemTime.nanos();
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Object, Bench> benches = new HashMap<>();
  private final Map<Object, Nothing> remembered = new ConcurrentHashMap<>();
  private volatile long generation;
  private volatile int waiters;
  private boolean closed;

  /**
   * An empty room.
   *
   * @param clock the store's
   * @param fallback how long to wait at most before looking again
   * @param changes a number that stays the same for as long as a look would find the same
   */
  public WaitingRoom(InstantSource clock, Supplier<Duration> fallback, LongSupplier changes) {
    this.clock = clock;
    this.fallback = fallback;
    this.changes = changes;
  }

  /** An empty room in a store that others may change unseen. */
  public WaitingRoom(InstantSource clock, Supplier<Duration> fallback) {
    this(clock, fallback, SystemTime.nanos());
  }

  /** What a waiter looks for. */
  public interface Search<T> {
    /** Searches that have equal interests find the same things. */
    Object interest();

    /** Takes the room's generation, looks, and takes what it finds. */
    Sight<T> look();
  }

  /**
   * What a search saw.
   *
   * @param generation the room's, from before it looked
   * @param nextChange when something may turn ready by itself; counts if nothing was found or left
   * @param all whether nothing that it could take was left behind
   */
  public record Sight<T>(List<T> found, long generation, long nextChange, boolean all) {
    boolean hasFound() {
      return !found.isEmpty();
    }
  }

  /**
   * There is nothing for some interest.
   *
   * @param began when the look for it was
   */
  private record Nothing(long generation, long nextChange, Moment began) {
    static final Nothing YET = new Nothing(-1, NEVER, new Moment(0, -1));

    static Nothing behind(Sight<?> look, Moment began) {
      return new Nothing(look.generation(), look.nextChange(), began);
    }
  }

  /**
   * An instant and what the store was like.
   *
   * @param stored what {@code changes} said
   */
  private record Moment(long nanos, long stored) {}

  private Moment now() {
    return new Moment(nanos.getAsLong(), changes.getAsLong());
  }

  /** A waiter for whom somebody else searches; it stays until it is sent on its way. */
  public interface Call {
    /** What it looks for: the search that it waits with. */
    Search<?> search();

    /** The room's generation at which it found nothing. */
    long generation();

    /** When something may turn ready by itself, as far as it knew then. */
    long nextChange();

    /** It looks now, and should find what was found for it. */
    void send();
  }

  private static final class Bench {
    final Condition permitted;
    final Condition timed;
    final Deque<Visit> seated = new ArrayDeque<>();
    int waiters;
    int permits;
    boolean led;
    long due = NEVER;

    Bench(ReentrantLock lock) {
      this.permitted = lock.newCondition();
      this.timed = lock.newCondition();
    }

    void give(int count) {
      permits = Math.min(permits + count, waiters);
      if (seated.isEmpty()) {
        return;
      }
      timed.signal();
      for (int i = 0; i < Math.min(count, waiters); i++) {
        permitted.signal();
      }
    }
  }

  /** Changes with every wake-up. */
  public long generation() {
    return generation;
  }

  /** Whether somebody waits, or is about to look again. */
  public boolean anyoneWaits() {
    return waiters > 0;
  }

  /** Repeats the search until it finds something, the patience is over or the store closes. */
  public <T> List<T> await(Search<T> search, Duration patience) throws InterruptedException {
    long deadline = nanos.getAsLong() + Math.clamp(nanosOf(patience), 0, Long.MAX_VALUE / 4);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Object interest = search.interest();
    Nothing nothing = patience.isPositive() ? known(interest) : null;
    if (nothing == null) {
      Moment began = now();
      Sight<T> look = look(search, interest, began);
      if (look.hasFound() || !patience.isPositive()) {
        return look.found();
      }
      nothing = Nothing.behind(look, began);
    }
    Visit visit = new Visit(search, interest, deadline);
    try {
      while (visit.sit(nothing)) {
        Moment began = now();
        Sight<T> look = look(search, interest, began);
        if (look.hasFound()) {
          return look.found();
        }
        nothing = Nothing.behind(look, began);
      }
      return List.of();
    } finally {
      visit.leave();
    }
  }

  private <T> Sight<T> look(Search<T> search, Object interest, Moment began) {
    Sight<T> look = search.look();
    if (look.all()) {
      if (remembered.size() >= MAX_REMEMBERED) {
        remembered.clear();
      }
      remembered.put(interest, Nothing.behind(look, began));
    }
    return look;
  }

  /** Null unless a look would find nothing. */
  private @Nullable Nothing known(Object interest) {
    Nothing nothing = remembered.get(interest);
    boolean holds =
        nothing != null
            && nothing.generation() == generation
            && nothing.nextChange() > clock.millis()
            && (!isOld(nothing) || nothing.began().stored() == changes.getAsLong());
    return holds ? nothing : null;
  }

  /** What others changed unseen is looked for after the fall-back, however short the waits are. */
  private boolean isOld(Nothing nothing) {
    return nanos.getAsLong() - nothing.began().nanos() >= fallback.get().toNanos();
  }

  /** {@code count} things are ready. */
  public void wake(int count) {
    wake(count, generation);
  }

  /**
   * As {@link #wake(int)}, by one who has looked at these things already. Returns the generation of
   * that look.
   *
   * @param seen the generation before it looked
   */
  public long wake(int count, long seen) {
    lock.lock();
    try {
      boolean undisturbed = generation == seen;
      generation++;
      benches.values().forEach(bench -> bench.give(count));
      return undisturbed ? generation : seen;
    } finally {
      lock.unlock();
    }
  }

  /** Somebody who waits and was not called yet. It has to be sent on its way soon. */
  public Optional<Call> call() {
    if (waiters == 0) {
      return Optional.empty();
    }
    lock.lock();
    try {
      for (Bench bench : benches.values()) {
        Visit visit = bench.seated.peek();
        if (visit != null) {
          Optional<Call> called = Optional.of(visit);
          bench.seated.remove();
          visit.caller = Thread.currentThread();
          visit.errand = Errand.MADE_FOR_IT;
          return called;
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  /** Everyone shall look again. */
  public void wakeAll() {
    wake(Integer.MAX_VALUE / 2);
  }

  /**
   * Something turns ready at {@code instant} by itself. Every bench looks again at the latest when
   * the fall-back is over, so only what comes sooner matters.
   */
  public void expect(long instant) {
    if (instant - clock.millis() >= fallback.get().toMillis()) {
      return;
    }
    lock.lock();
    try {
      generation++;
      for (Bench bench : benches.values()) {
        if (instant < bench.due) {
          bench.due = instant;
          bench.timed.signal();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends everyone home. */
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    wakeAll();
  }

  private static long nanosOf(Duration duration) {
    return duration.compareTo(Duration.ofDays(365)) > 0
        ? Duration.ofDays(365).toNanos()
        : duration.toNanos();
  }

  /** Who makes a waiter's next search. */
  private enum Errand {
    ITS_OWN,
    MADE_FOR_IT,
    DONE_FOR_IT
  }

  /** One waiter's time on a bench. */
  private final class Visit implements Call {
    private final Search<?> search;
    private final Object interest;
    private final long deadline;
    private final Bench bench;
    private final Condition sending = lock.newCondition();
    private boolean leader;
    private Errand errand = Errand.ITS_OWN;
    private Thread caller = Thread.currentThread();
    private Nothing known = Nothing.YET;

    Visit(Search<?> search, Object interest, long deadline) {
      this.search = search;
      this.interest = interest;
      this.deadline = deadline;
      lock.lock();
      try {
        this.bench = benches.computeIfAbsent(interest, any -> new Bench(lock));
        bench.waiters++;
        waiters++;
      } finally {
        lock.unlock();
      }
    }

    /** Waits for a reason to look again; false when the patience is over or the store closed. */
    boolean sit(Nothing nothing) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        if (nothing.generation() != generation) {
          return !closed && deadline - nanos.getAsLong() > 0;
        }
        known = nothing;
        bench.seated.add(this);
        try {
          boolean looks = stay(nothing);
          return awaitErrand() || looks;
        } catch (InterruptedException interrupt) {
          if (!awaitErrand()) {
            throw interrupt;
          }
          Thread.currentThread().interrupt();
          return true;
        } finally {
          bench.seated.remove(this);
        }
      } finally {
        lock.unlock();
      }
    }

    private boolean stay(Nothing nothing) throws InterruptedException {
      if (leader || !bench.led) {
        leader = true;
        bench.led = true;
        bench.due = nothing.nextChange();
        return lead(nothing.began());
      }
      bench.due = Math.min(bench.due, nothing.nextChange());
      return follow();
    }

    /**
     * Whoever was called waits to be sent, whatever else happens, unless the thread that called has
     * ended; false if nobody called.
     */
    private boolean awaitErrand() {
      if (errand == Errand.ITS_OWN) {
        return false;
      }
      boolean interrupted = false;
      while (errand == Errand.MADE_FOR_IT && caller.isAlive()) {
        try {
          sending.awaitNanos(LOOK_NANOS);
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
      errand = Errand.ITS_OWN;
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      return true;
    }

    @Override
    public Search<?> search() {
      return search;
    }

    @Override
    public long generation() {
      return known.generation();
    }

    @Override
    public long nextChange() {
      return known.nextChange();
    }

    @Override
    public void send() {
      lock.lock();
      try {
        errand = Errand.DONE_FOR_IT;
        sending.signal();
        bench.timed.signal();
        bench.permitted.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private boolean lead(Moment began) throws InterruptedException {
      long latest = began.nanos() + fallback.get().toNanos();
      while (!closed && errand == Errand.ITS_OWN && !takePermit()) {
        long now = nanos.getAsLong();
        if (deadline - now <= 0) {
          return false;
        }
        long untilDue = untilDue();
        boolean isLate = latest - now <= 0;
        if (untilDue <= 0 || (isLate && changes.getAsLong() != began.stored())) {
          return true;
        }
        if (isLate) {
          latest = now + fallback.get().toNanos();
        }
        bench.timed.awaitNanos(Math.min(deadline - now, Math.min(latest - now, untilDue)));
      }
      return !closed;
    }

    private boolean follow() throws InterruptedException {
      while (!closed && errand == Errand.ITS_OWN && !takePermit()) {
        long left = deadline - nanos.getAsLong();
        if (left <= 0) {
          return false;
        }
        bench.permitted.awaitNanos(left);
      }
      return !closed;
    }

    /** A due instant that has passed counts once, then the look that follows tells the next. */
    private long untilDue() {
      if (bench.due == NEVER) {
        return Long.MAX_VALUE;
      }
      long millis = bench.due - clock.millis();
      if (millis <= 0) {
        bench.due = NEVER;
        return 0;
      }
      return Math.max(SHORTEST_NANOS, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private boolean takePermit() {
      if (bench.permits == 0) {
        return false;
      }
      bench.permits--;
      return true;
    }

    void leave() {
      lock.lock();
      try {
        waiters--;
        bench.waiters--;
        if (bench.waiters == 0) {
          benches.remove(interest);
          return;
        }
        bench.permits = Math.min(bench.permits, bench.waiters);
        if (leader) {
          bench.led = false;
          bench.permits = Math.max(bench.permits, 1);
          bench.permitted.signal();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
