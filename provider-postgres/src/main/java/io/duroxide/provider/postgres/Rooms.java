package io.duroxide.provider.postgres;

import io.duroxide.provider.WaitingRoom;
import java.time.InstantSource;

/**
 * Where fetches of the two queues wait.
 *
 * @param channel what reaches them from other nodes, and the other nodes from here
 */
record Rooms(WaitingRoom turns, WaitingRoom work, Channel channel) {

  static Rooms create(InstantSource clock) {
    Channel channel = new Channel();
    return new Rooms(
        new WaitingRoom(clock, channel::fallback),
        new WaitingRoom(clock, channel::fallback),
        channel);
  }

  /**
   * Tells everyone, here and elsewhere, what can be fetched now or later; returns the generation of
   * a look for turns that saw all this.
   *
   * @param turnsSeen the generation from before it
   */
  long tell(Wakes turnWakes, Wakes workWakes, long turnsSeen) {
    long generation = turnWakes.tell(turns, turnsSeen);
    workWakes.tell(work, work.generation());
    channel.committed(turnWakes.isReady(), workWakes.isReady());
    return generation;
  }

  /** An instance can be fetched; tells everyone. */
  void wakeForTurn() {
    turns.wake(1);
    channel.committed(true, false);
  }

  /** An activity can be fetched; tells everyone. */
  void wakeForWork() {
    work.wake(1);
    channel.committed(false, true);
  }

  void wakeAll() {
    turns.wakeAll();
    work.wakeAll();
  }

  void close() {
    channel.close();
    turns.close();
    work.close();
  }
}
