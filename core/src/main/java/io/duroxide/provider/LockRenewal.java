package io.duroxide.provider;

import java.time.Duration;

/**
 * A lock whose end shall be set to now plus {@code extendFor}.
 *
 * @param lockToken as a fetch, or a commit that claimed the activity, has returned it
 */
public record LockRenewal(Kind kind, String lockToken, Duration extendFor) {

  /** What is locked. */
  public enum Kind {
    INSTANCE,
    ACTIVITY
  }

  /** Renews this lock by the operation for single locks. */
  RenewalAnswer alone(Provider provider) {
    try {
      switch (kind) {
        case INSTANCE -> provider.renewOrchestrationItemLock(lockToken, extendFor);
        case ACTIVITY -> provider.renewWorkItemLock(lockToken, extendFor);
      }
      return RenewalAnswer.RENEWED;
    } catch (ProviderException refusal) {
      return RenewalAnswer.refused(refusal);
    }
  }
}
