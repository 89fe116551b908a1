package io.duroxide.replay;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a turn decided.
 *
 * @param delta new events: converted messages, new actions, decisions; without end-of-execution
 *     decisions and the terminal event
 * @param actions the new actions in order
 * @param abandoned what the code gave up
 * @param outstanding what is open, if the turn ends the execution
 * @param leftOver what the next execution inherits, if the turn continues as new
 * @param mail how the mailboxes stand
 */
public record TurnResult(
    TurnOutcome outcome,
    List<Event> delta,
    List<NewAction> actions,
    Abandoned abandoned,
    Outstanding outstanding,
    LeftOver leftOver,
    MailboxState mail) {
  public TurnResult {
    delta = List.copyOf(delta);
    actions = List.copyOf(actions);
  }

  /** Without any doing of the code. */
  public TurnResult(TurnOutcome outcome, List<Event> delta, Outstanding outstanding) {
    this(
        outcome,
        delta,
        List.of(),
        Abandoned.NOTHING,
        outstanding,
        LeftOver.NOTHING,
        MailboxState.NONE);
  }

  /** Whether anything new was recorded. */
  public boolean madeProgress() {
    return !delta.isEmpty();
  }

  /**
   * What survives a continue-as-new.
   *
   * @param messages queue messages nobody consumed, in arrival order
   * @param customStatus the status at the end
   */
  public record LeftOver(List<CarriedEvent> messages, @Nullable String customStatus) {
    public static final LeftOver NOTHING = new LeftOver(List.of(), null);

    public LeftOver {
      messages = List.copyOf(messages);
    }
  }
}
