package io.duroxide.provider.sqlite;

/**
 * The end of a history.
 *
 * @param event the newest event of the execution; 0 for none
 * @param key the row of history that has it
 */
record Tail(long event, long key) {
  static final Tail NONE = new Tail(0, 0);
}
