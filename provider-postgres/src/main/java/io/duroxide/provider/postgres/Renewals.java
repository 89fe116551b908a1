package io.duroxide.provider.postgres;

import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Renews locks. None waits for a row that another transaction has: it may be the commit under that
 * very lock, and whatever else the lane has to do would wait with it. Thread-safe.
 */
final class Renewals {
  private static final int TRIES = 40;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Lanes lanes;

  Renewals(Lanes lanes) {
    this.lanes = lanes;
  }

  /** Something that is asked for again. */
  @FunctionalInterface
  interface Making {
    Keep keep();
  }

  /** Renews one lock; a row that stays in use for long counts as renewed. */
  void renew(Making renewal) {
    for (int tries = 1; !lanes.call(renewal.keep()) && tries < TRIES; tries++) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** A renewal on its way, or what it was refused with at once. */
  private record Sent(@Nullable Keep keep, @Nullable ProviderException refusal) {}

  /** All are sent before the first is waited for, so that lanes take them together. */
  List<RenewalAnswer> renew(List<LockRenewal> renewals) {
    lanes.checkOpen("renewLocks");
    List<Sent> sent = new ArrayList<>(renewals.size());
    for (LockRenewal renewal : renewals) {
      sent.add(send(renewal));
    }
    return sent.stream().map(this::answer).toList();
  }

  private Sent send(LockRenewal renewal) {
    try {
      Keep keep =
          switch (renewal.kind()) {
            case INSTANCE -> KeepTurn.renew(renewal.lockToken(), renewal.extendFor());
            case ACTIVITY -> KeepWork.renew(renewal.lockToken(), renewal.extendFor());
          };
      lanes.send(keep);
      return new Sent(keep, null);
    } catch (ProviderException refusal) {
      return new Sent(null, refusal);
    }
  }

  private RenewalAnswer answer(Sent sent) {
    Keep keep = sent.keep();
    ProviderException refusal = sent.refusal();
    if (keep == null) {
      return refusal == null ? RenewalAnswer.IN_USE : RenewalAnswer.refused(refusal);
    }
    try {
      return lanes.answerOf(keep) ? RenewalAnswer.RENEWED : RenewalAnswer.IN_USE;
    } catch (ProviderException later) {
      return RenewalAnswer.refused(later);
    }
  }
}
