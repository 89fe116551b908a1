package io.duroxide.provider.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps room in the write-ahead log ahead of what is written to it.
 *
 * <p>A commit that makes the log longer waits for the disk about twice as long as one that writes
 * over what is there, because the new length has to reach the disk as well. So zeros are appended
 * before they are needed, the more the longer the log is, up to the length at which SQLite begins
 * it anew. A frame of zeros is none: SQLite checks every frame before it believes it. Nothing
 * depends on this but speed, so trouble ends it until the store has another connection.
 *
 * <p>Confined to the writer, and used by it inside a transaction alone, when nobody else writes to
 * the log.
 */
final class LogSpace implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final int HEADER = 32;
  private static final int PAGE_SIZE_AT = 8;
  private static final int FRAME_HEADER = 24;
  private static final long LEAST = 256 * 1024;
  private static final long LONGEST_STEP = 4096 * 1024;
  private static final int CHUNK = 64 * 1024;

  private final @Nullable Path log;
  private final long enough;
  private @Nullable FileChannel file;
  private boolean over;

  /**
   * For a log that is begun anew once it is {@code enough} bytes long.
   *
   * @param log null where there is none
   */
  LogSpace(@Nullable Path log, long enough) {
    this.log = log;
    this.enough = enough;
    this.over = log == null;
  }

  /** To be called when a transaction has begun. */
  void keep() {
    if (over || log == null) {
      return;
    }
    try {
      if (file == null) {
        file = FileChannel.open(log, StandardOpenOption.READ, StandardOpenOption.WRITE);
      }
      long length = file.size();
      if (length >= enough) {
        close();
      } else if (length < LEAST || isNearlyUsed(file, length)) {
        append(file, length);
      }
    } catch (ClosedByInterruptException closed) {
      // A caller that is interrupted closes it for good; the next one opens it again.
      file = null;
    } catch (IOException trouble) {
      LOG.atDebug().setCause(trouble).log("{} is not extended ahead of its use", log);
      close();
    }
  }

  /**
   * Whether there is a frame, of this round or an earlier one, a quarter of a step from the end.
   */
  private static boolean isNearlyUsed(FileChannel file, long length) throws IOException {
    long frame = FRAME_HEADER + number(file, PAGE_SIZE_AT);
    long margin = step(length) / 4;
    long frames = (length - margin - HEADER) / frame;
    return number(file, HEADER + frames * frame) != 0;
  }

  private static long number(FileChannel file, long at) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES);
    file.read(bytes, at);
    return bytes.getInt(0);
  }

  private static long step(long length) {
    return Math.clamp(length, LEAST, LONGEST_STEP);
  }

  private static void append(FileChannel file, long length) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(CHUNK);
    long end = length + step(length);
    for (long at = length; at < end; at += zeros.position()) {
      zeros.clear();
      file.write(zeros, at);
    }
  }

  /** Begins again, with another connection. */
  void reopen() {
    close();
    over = log == null;
  }

  @Override
  public void close() {
    over = true;
    if (file != null) {
      try {
        file.close();
      } catch (IOException ignored) {
        // Nothing depends on it.
      }
      file = null;
    }
  }
}
