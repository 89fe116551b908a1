package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when its process did not get to run: because it was stopped, which shows as a beat that
 * comes late, or because others had the processors, which the system counts for each thread that is
 * ready to run.
 */
final class Metronome implements Runnable {
  private static final Duration BEAT = Duration.ofMillis(50);
  private static final Duration STALL = Duration.ofMillis(100);
  private static final int BEATS_PER_LOOK = 10;
  private static final Path THREADS = Path.of("/proc/self/task");

  private final Ledger ledger;
  private Map<Path, Long> waited = new HashMap<>();

  Metronome(Ledger ledger) {
    this.ledger = ledger;
  }

  @Override
  public void run() {
    long last = System.nanoTime();
    for (int beat = 1; !Thread.currentThread().isInterrupted(); beat++) {
      LockSupport.parkNanos(BEAT.toNanos());
      long now = System.nanoTime();
      note(now - last - BEAT.toNanos());
      last = now;
      if (beat % BEATS_PER_LOOK == 0) {
        note(longestWait());
      }
    }
  }

  private void note(long nanos) {
    if (nanos > STALL.toNanos()) {
      ledger.add(new Entry.Stall(Duration.ofNanos(nanos).toMillis(), System.currentTimeMillis()));
    }
  }

  /** For how long the thread that waited longest for a processor did, since the last look. */
  private long longestWait() {
    long longest = 0;
    Map<Path, Long> waits = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
      for (Path thread : threads) {
        long wait = wait(thread.resolve("schedstat"));
        waits.put(thread, wait);
        longest = Math.max(longest, wait - waited.getOrDefault(thread, 0L));
      }
    } catch (IOException e) {
      return 0;
    }
    waited = waits;
    return longest;
  }

  /** The second number of three; a thread may have ended meanwhile. */
  private static long wait(Path statistics) {
    try {
      return Long.parseLong(Files.readString(statistics).split(" ", -1)[1]);
    } catch (IOException e) {
      return 0;
    }
  }
}
