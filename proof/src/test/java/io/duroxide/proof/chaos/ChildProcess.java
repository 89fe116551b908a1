package io.duroxide.proof.chaos;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process of a run, and what it has said so far. Thread-safe. */
final class ChildProcess {
  private final Birth birth;
  private final Process process;
  private final BufferedWriter input;
  private final List<String> said = new ArrayList<>();

  ChildProcess(Birth birth, Process process) {
    this.birth = birth;
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    Thread.ofVirtual().start(this::listen);
  }

  private void listen() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (said) {
          said.add(line);
          said.notifyAll();
        }
      }
    } catch (IOException e) {
      synchronized (said) {
        said.add("its output ended: " + e.getMessage());
      }
    }
  }

  Birth birth() {
    return birth;
  }

  /** Tells it something; it may be dead already. */
  void say(String text) {
    try {
      input.write(text + "\n");
      input.flush();
    } catch (IOException e) {
      if (process.isAlive()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The newest line that begins like this; waits for one. */
  Optional<String> heard(String begin, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    synchronized (said) {
      while (true) {
        for (String line : said.reversed()) {
          if (line.startsWith(begin)) {
            return Optional.of(line);
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (left <= 0) {
          return Optional.empty();
        }
        try {
          said.wait(left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        }
      }
    }
  }

  /** Forgets what was said, so that only a later answer counts. */
  void forget(String begin) {
    synchronized (said) {
      said.removeIf(line -> line.startsWith(begin));
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  boolean hasEnded(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
