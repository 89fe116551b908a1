package io.duroxide.proof.chaos;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Stands between a process and its server, and spoils what passes. Thread-safe. */
final class CuttingProxy implements AutoCloseable {
  private static final int BUFFER = 8 * 1024;
  private static final int BACKLOG = 64;
  private static final Duration LOOK = Duration.ofMillis(20);

  private final int server;
  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedDeque<AtomicLong> cuts = new ConcurrentLinkedDeque<>();
  private final AtomicInteger losses = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();
  private volatile long frozenUntil = System.nanoTime();
  private volatile long slowUntil = System.nanoTime();
  private volatile Duration delay = Duration.ZERO;

  /** A proxy for a server of this machine. */
  CuttingProxy(int server) {
    this.server = server;
    try {
      this.door = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().name("proxy").start(this::accept);
  }

  int port() {
    return door.getLocalPort();
  }

  /** After this many more bytes, in whichever direction, the connection that has the next ends. */
  void cutAfter(int bytes) {
    cuts.add(new AtomicLong(bytes));
  }

  /** The connection that has the next answer ends before any of it passes. */
  void loseAnswer() {
    losses.incrementAndGet();
  }

  /** How many connections it has cut. */
  int cuts() {
    return made.get();
  }

  /** Waits until it has cut what it was told to. */
  void awaitCuts(Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    while ((!cuts.isEmpty() || losses.get() > 0) && System.nanoTime() < until) {
      LockSupport.parkNanos(LOOK.toNanos());
    }
  }

  /** Leaves the others whole. */
  void forgetCuts() {
    cuts.clear();
    losses.set(0);
  }

  /** Nothing passes for so long; nothing ends, either. */
  void freeze(Duration length) {
    frozenUntil = System.nanoTime() + length.toNanos();
  }

  /** Each piece takes longer, for so long. */
  void delay(Duration each, Duration length) {
    delay = each;
    slowUntil = System.nanoTime() + length.toNanos();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException e) {
        if (!door.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void connect(Socket client) {
    try {
      client.setTcpNoDelay(true);
      Socket target = new Socket(InetAddress.getLoopbackAddress(), server);
      target.setTcpNoDelay(true);
      open.add(target);
      Thread.ofVirtual().start(() -> pump(client, target, false));
      Thread.ofVirtual().start(() -> pump(target, client, true));
    } catch (IOException e) {
      quietly(client);
    }
  }

  private void pump(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[BUFFER];
    try (InputStream input = from.getInputStream();
        OutputStream output = to.getOutputStream()) {
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        pause();
        int passes = answers && isLost() ? 0 : passes(read);
        output.write(buffer, 0, passes);
        output.flush();
        if (passes < read) {
          made.incrementAndGet();
          break;
        }
      }
    } catch (IOException e) {
      // One of the two is gone; the other goes below.
      quietly(from);
    } finally {
      quietly(from);
      quietly(to);
    }
  }

  private void pause() {
    while (System.nanoTime() < frozenUntil && !door.isClosed()) {
      LockSupport.parkNanos(frozenUntil - System.nanoTime());
    }
    if (System.nanoTime() < slowUntil) {
      LockSupport.parkNanos(delay.toNanos());
    }
  }

  private boolean isLost() {
    return losses.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  /** How many of these bytes pass before the next cut. */
  private int passes(int bytes) {
    AtomicLong next = cuts.peek();
    if (next == null) {
      return bytes;
    }
    long left = next.addAndGet(-bytes);
    return left < 0 && cuts.remove(next) ? (int) Math.max(0, left + bytes) : bytes;
  }

  private void quietly(Closeable socket) {
    try {
      socket.close();
    } catch (IOException e) {
      Thread.onSpinWait();
    }
    open.remove(socket);
  }

  @Override
  public void close() {
    quietly(door);
    open.forEach(this::quietly);
  }
}
