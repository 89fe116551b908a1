package io.duroxide.model;

/** What an instance itself says about automatic pruning. */
public sealed interface AutoPrune permits AutoPrunePolicy, AutoPrune.Disabled {
  /** Nothing is pruned unless the code asks for it. */
  AutoPrune DISABLED = new Disabled();

  /** See {@link #DISABLED}. */
  record Disabled() implements AutoPrune {}
}
