package io.duroxide.proof.chaos;

import io.duroxide.client.ClientException;
import io.duroxide.management.ManagementException;
import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Makes the calls of a client: each is written down before it is made and after it was answered,
 * and made again until it has an answer. Thread-safe.
 */
final class CallBook {
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Every call without a limit of its own is over by then, also if the store cannot be reached. */
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final Ledger ledger;
  private final String life;
  private final Set<Entry.Step> settled;
  private final AtomicLong calls = new AtomicLong();

  /**
   * Goes on where the process before ended.
   *
   * @param earlier what the ledger held
   * @param life different for each process that writes to the ledger
   */
  CallBook(Ledger ledger, List<Entry> earlier, String life) {
    this.ledger = ledger;
    this.life = life;
    Set<String> answered =
        earlier.stream()
            .filter(Entry.Answer.class::isInstance)
            .map(Entry.Answer.class::cast)
            .filter(answer -> answer.result() != Entry.Result.UNKNOWN)
            .map(Entry.Answer::id)
            .collect(Collectors.toSet());
    this.settled =
        earlier.stream()
            .filter(Entry.Intent.class::isInstance)
            .map(Entry.Intent.class::cast)
            .filter(intent -> answered.contains(intent.id()))
            .map(Entry.Intent::step)
            .collect(Collectors.toSet());
  }

  /** Whether it was answered in an earlier life. */
  boolean isSettled(Entry.Step step) {
    return settled.contains(step);
  }

  /** Makes a call until it is answered, unless it was answered in an earlier life. */
  void insist(Entry.Step step, Entry.Call call, Runnable action) {
    while (!isSettled(step) && once(step, call, LIMIT, action) == Entry.Result.UNKNOWN) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Makes a call once in all lives: it must not be repeated. */
  void tryOnce(Entry.Step step, Entry.Call call, List<Entry> earlier, Runnable action) {
    boolean tried =
        earlier.stream()
            .anyMatch(entry -> entry instanceof Entry.Intent intent && intent.step().equals(step));
    if (!tried) {
      once(step, call, LIMIT, action);
    }
  }

  /** Makes a call that changes nothing. */
  void look(Entry.Step step, Duration limit, Runnable action) {
    once(step, new Entry.Call(Entry.Deed.WAIT, "", ""), limit, action);
  }

  private Entry.Result once(Entry.Step step, Entry.Call call, Duration limit, Runnable action) {
    String id = life + "/" + calls.incrementAndGet();
    ledger.add(new Entry.Intent(id, step, call, limit.toMillis(), System.currentTimeMillis()));
    Entry.Result result = Entry.Result.DONE;
    String detail = "";
    try {
      action.run();
    } catch (RuntimeException e) {
      result = result(e);
      detail = e.getClass().getSimpleName() + ": " + e.getMessage();
    }
    ledger.add(new Entry.Answer(id, result, detail, System.currentTimeMillis()));
    return result;
  }

  private static Entry.Result result(RuntimeException failure) {
    return switch (failure) {
      case ClientException.Timeout ignored -> Entry.Result.DONE;
      case ClientException.InstanceExists ignored -> Entry.Result.REFUSED;
      case ClientException.InstanceEnded ignored -> Entry.Result.REFUSED;
      case ClientException.InstanceNotFound ignored -> Entry.Result.REFUSED;
      case ClientException.InvalidInput ignored -> Entry.Result.REFUSED;
      case ClientException.OrchestrationFailed ignored -> Entry.Result.DONE;
      case ManagementException ignored -> Entry.Result.REFUSED;
      case ProviderException e when !e.retryable() -> Entry.Result.REFUSED;
      default -> Entry.Result.UNKNOWN;
    };
  }
}
