package io.duroxide.provider.tck;

/** How stored history can be damaged. */
public enum HistoryDamage {
  /** The first event is no longer text that any parser accepts. */
  NOT_PARSEABLE,
  /** The first event parses but lacks what an event has. */
  WRONG_SHAPE,
  /** The first event is of a kind that nobody knows. */
  UNKNOWN_KIND,
  /** One event in the middle is damaged, all others are good. */
  ONE_OF_MANY
}
