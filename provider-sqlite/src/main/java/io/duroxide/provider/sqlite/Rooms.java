package io.duroxide.provider.sqlite;

/** Where fetches of the two queues wait. Thread-safe. */
record Rooms(WaitingRoom turns, WaitingRoom work) {

  boolean anyoneWaits() {
    return turns.anyoneWaits() || work.anyoneWaits();
  }

  /** Something has happened that nobody here knows: somebody of each kind shall look. */
  void wakeOneEach() {
    turns.wake(1);
    work.wake(1);
  }

  void wakeAll() {
    turns.wakeAll();
    work.wakeAll();
  }

  void close() {
    turns.close();
    work.close();
  }

  /** Tells both how much was ever stored. */
  void stored(long rows) {
    turns.stored(rows);
    work.stored(rows);
  }
}
