package io.duroxide.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;

/** What a turn decided, in the words of the catalog. */
final class Verdicts {
  static final TurnOutcome CONTINUE = new TurnOutcome.Continue();

  private Verdicts() {}

  static TurnOutcome completed(String output) {
    return new TurnOutcome.Completed(output);
  }

  static TurnOutcome failed(ErrorDetails details) {
    return new TurnOutcome.Failed(details);
  }

  /** Nothing recorded, asked for or given up. */
  static void nothingNew(TurnResult result) {
    assertThat(result.delta()).isEmpty();
    assertThat(result.madeProgress()).isFalse();
    nothingAsked(result);
  }

  /** Nothing asked for or given up, whatever arrived. */
  static void nothingAsked(TurnResult result) {
    assertThat(result.actions()).isEmpty();
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  /** The orchestration waits and nothing came of the turn. */
  static void stillWaiting(TurnResult result) {
    assertThat(result.outcome()).isEqualTo(CONTINUE);
    nothingNew(result);
  }

  /** Completed without anything new but this output. */
  static void onlyCompleted(TurnResult result, String output) {
    assertThat(result.outcome()).isEqualTo(completed(output));
    nothingNew(result);
  }

  static ErrorDetails failure(TurnResult result) {
    assertThat(result.outcome()).isInstanceOf(TurnOutcome.Failed.class);
    return ((TurnOutcome.Failed) result.outcome()).details();
  }

  /** Failed as nondeterminism with these words, and the code's doing is void. */
  static void nondeterministic(TurnResult result, String... words) {
    ErrorDetails details = failure(result);
    assertThat(details).isInstanceOf(ErrorDetails.Configuration.class);
    assertThat(((ErrorDetails.Configuration) details).kind())
        .isEqualTo(ConfigurationErrorKind.NONDETERMINISM);
    assertThat(details.retryable()).isFalse();
    assertThat(details.displayMessage()).startsWith("nondeterministic:").contains(words);
    nothingAsked(result);
  }

  /** This stored history does not fit this code. */
  static void refused(OrchestrationCode code, String words, Event... history) {
    TurnResult result = Engine.replay(code, history);
    nondeterministic(result, words);
    assertThat(result.delta()).isEmpty();
  }
}
