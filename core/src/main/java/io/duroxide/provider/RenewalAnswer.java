package io.duroxide.provider;

import org.jspecify.annotations.Nullable;

/**
 * What became of one lock that was renewed together with others.
 *
 * @param refusal why it was not renewed; {@code LOCK_LOST} if the caller has it no longer
 */
public record RenewalAnswer(State state, @Nullable ProviderException refusal) {
  /** Its end is as far away as was asked for. */
  public static final RenewalAnswer RENEWED = new RenewalAnswer(State.RENEWED, null);

  /** The caller has the lock; its end is as it was, because another transaction has its row. */
  public static final RenewalAnswer IN_USE = new RenewalAnswer(State.IN_USE, null);

  /** How it went. */
  public enum State {
    RENEWED,
    IN_USE,
    REFUSED
  }

  public static RenewalAnswer refused(ProviderException refusal) {
    return new RenewalAnswer(State.REFUSED, refusal);
  }

  /** Whether the caller has lost the lock. */
  public boolean isLost() {
    return refusal != null && refusal.kind() == ProviderException.Kind.LOCK_LOST;
  }
}
