package io.duroxide.provider.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Stands between a node and the server, and can swallow what passes or cut it off. Thread-safe. */
final class Wire implements AutoCloseable {
  private final int target;
  private final ServerSocket entrance;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition healed = lock.newCondition();
  private boolean stalled;

  Wire(int target) {
    this.target = target;
    try {
      this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return entrance.getLocalPort();
  }

  private void accept() {
    while (!entrance.isClosed()) {
      try {
        Socket near = entrance.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(near);
        sockets.add(far);
        Thread.ofVirtual().start(() -> pump(near, far));
        Thread.ofVirtual().start(() -> pump(far, near));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] bytes = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      int count = in.read(bytes);
      while (count >= 0) {
        awaitHealed();
        out.write(bytes, 0, count);
        count = in.read(bytes);
      }
    } catch (IOException ended) {
      sockets.remove(from);
    }
  }

  private void awaitHealed() {
    lock.lock();
    try {
      while (stalled) {
        healed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** From now on nothing arrives any more, and nobody is told. */
  void stall() {
    lock.lock();
    try {
      stalled = true;
    } finally {
      lock.unlock();
    }
  }

  /** What was on its way is lost with its connections; new ones work. */
  void heal() {
    cut();
    lock.lock();
    try {
      stalled = false;
      healed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void cut() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    sockets.clear();
  }

  @Override
  public void close() {
    heal();
    try {
      entrance.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
