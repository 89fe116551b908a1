package io.duroxide.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Limits;
import io.duroxide.model.Event;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import java.util.List;
import java.util.Map;

/**
 * The same code twice: parked between turns, and rebuilt from history for each turn. Every turn
 * must give the same result both ways, and replaying what it recorded must add nothing (I9).
 */
final class Twin {
  private final OrchestrationCode code;
  private final Engine parked;
  private final Engine rebuilt;
  private Map<String, KvEntry> kv = Map.of();

  private Twin(OrchestrationCode code) {
    this.code = code;
    this.parked = Engine.of(code).options(Engine.options(Limits.DEFAULT));
    this.rebuilt = Engine.of(code).options(Engine.options(Limits.DEFAULT)).rebuildEachTurn();
  }

  /** An execution that has just been started with the input {@code in}. */
  static Twin started(OrchestrationCode code) {
    Twin twin = new Twin(code);
    twin.parked.started("in");
    twin.rebuilt.started("in");
    return twin;
  }

  /** An execution with this stored history. */
  static Twin of(OrchestrationCode code, Event... history) {
    Twin twin = new Twin(code);
    twin.parked.history(history);
    twin.rebuilt.history(history);
    return twin;
  }

  Twin kv(Map<String, KvEntry> snapshot) {
    kv = snapshot;
    parked.kv(snapshot);
    rebuilt.kv(snapshot);
    return this;
  }

  TurnResult turn(WorkItem... messages) {
    TurnResult result = parked.turn(messages);
    assertThat(rebuilt.turn(messages)).as("rebuilt").isEqualTo(result);
    if (result.outcome() instanceof TurnOutcome.Continue) {
      Engine again = Engine.of(code).kv(kv).history(recorded().toArray(Event[]::new));
      TurnResult nothing = again.turn();
      assertThat(nothing.outcome()).as("replayed").isEqualTo(result.outcome());
      assertThat(nothing.delta()).as("replayed").isEmpty();
      assertThat(nothing.abandoned()).as("replayed").isEqualTo(Abandoned.NOTHING);
      again.close();
    } else {
      parked.close();
      rebuilt.close();
    }
    return result;
  }

  List<Event> recorded() {
    return parked.recorded();
  }
}
