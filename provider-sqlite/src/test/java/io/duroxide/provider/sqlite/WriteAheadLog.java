package io.duroxide.provider.sqlite;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of a write-ahead log, as SQLite's file format describes them. */
final class WriteAheadLog {
  private static final int HEADER = 32;
  private static final int FRAME_HEADER = 24;
  private static final int PAGE_SIZE_AT = 8;
  private static final int SALT_AT = 16;
  private static final int COMMIT_AT = 4;
  private static final int FRAME_SALT_AT = 8;

  private final byte[] bytes;

  WriteAheadLog(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes.clone();
  }

  /**
   * Where each transaction ends, in order; what an earlier round of the log left is not counted.
   */
  List<Integer> commits() {
    ByteBuffer log = ByteBuffer.wrap(bytes);
    int frame = FRAME_HEADER + log.getInt(PAGE_SIZE_AT);
    long salt = log.getLong(SALT_AT);
    List<Integer> ends = new ArrayList<>();
    for (int at = HEADER; at + frame <= bytes.length; at += frame) {
      if (log.getLong(at + FRAME_SALT_AT) != salt) {
        break;
      }
      if (log.getInt(at + COMMIT_AT) != 0) {
        ends.add(at + frame);
      }
    }
    return ends;
  }

  byte[] prefix(int length) {
    return Arrays.copyOf(bytes, length);
  }

  /** This log as far as it was written over an older one. */
  byte[] prefixOver(WriteAheadLog older, int length) {
    byte[] mixed = older.bytes.length >= length ? older.bytes.clone() : prefix(length);
    System.arraycopy(bytes, 0, mixed, 0, length);
    return mixed;
  }
}
