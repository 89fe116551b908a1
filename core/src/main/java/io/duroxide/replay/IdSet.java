package io.duroxide.replay;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** A set of event ids: about a bit each where they are dense, safe where one is absurdly large. */
final class IdSet {
  private static final int CHUNK_BITS = 12;
  private static final long MASK = (1L << CHUNK_BITS) - 1;

  private final Map<Long, BitSet> chunks = new HashMap<>(0);

  /** Adds an id; false if it was there. */
  boolean add(long id) {
    BitSet chunk = chunks.computeIfAbsent(id >> CHUNK_BITS, key -> new BitSet());
    int bit = (int) (id & MASK);
    boolean fresh = !chunk.get(bit);
    chunk.set(bit);
    return fresh;
  }

  boolean contains(long id) {
    BitSet chunk = chunks.get(id >> CHUNK_BITS);
    return chunk != null && chunk.get((int) (id & MASK));
  }
}
