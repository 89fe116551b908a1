package io.duroxide.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the next execution of an instance takes over from the one before.
 *
 * @param messages queue messages that nobody consumed, in arrival order
 * @param customStatus the status at the end
 * @param autoPrune what the instance says about automatic pruning
 * @param reads how many messages the one before read, by queue; few are not told
 */
public record Inheritance(
    List<CarriedEvent> messages,
    @Nullable String customStatus,
    @Nullable AutoPrune autoPrune,
    List<QueueReads> reads) {
  public static final Inheritance NOTHING = new Inheritance(List.of(), null, null);

  public Inheritance {
    messages = List.copyOf(messages);
    reads = List.copyOf(reads);
  }

  public Inheritance(
      List<CarriedEvent> messages, @Nullable String customStatus, @Nullable AutoPrune autoPrune) {
    this(messages, customStatus, autoPrune, List.of());
  }
}
