package io.duroxide.provider.sqlite;

import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Renews locks together; each refusal concerns its own lock alone. Run by the writer. */
record Renewals(List<LockRenewal> locks) implements Command<List<RenewalAnswer>> {
  static final String OPERATION = "renewLocks";

  Renewals {
    locks = List.copyOf(locks);
  }

  @Override
  public List<RenewalAnswer> run(Tables tables) throws SQLException {
    List<RenewalAnswer> answers = new ArrayList<>(locks.size());
    for (LockRenewal lock : locks) {
      answers.add(renewed(tables, lock));
    }
    return answers;
  }

  /** A lock is refused before anything is written for it. */
  private static RenewalAnswer renewed(Tables tables, LockRenewal lock) throws SQLException {
    try {
      Refusal.checkLease(OPERATION, lock.extendFor());
      switch (lock.kind()) {
        case INSTANCE -> tables.orchestratorQueue().renew(lock.lockToken(), lock.extendFor());
        case ACTIVITY -> tables.workers().renew(lock.lockToken(), lock.extendFor());
      }
      return RenewalAnswer.RENEWED;
    } catch (ProviderException refusal) {
      return RenewalAnswer.refused(refusal);
    }
  }
}
