package io.duroxide.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import java.util.ArrayList;
import java.util.List;

/** The life of one execution, lived twice: parked between turns, and rebuilt from history. */
final class Turns {
  private Turns() {}

  static List<WorkItem> batch(WorkItem... messages) {
    return List.of(messages);
  }

  /** One turn for each batch, the first one fresh; both ways must give the same results. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  static List<TurnResult> of(OrchestrationCode code, List<WorkItem>... batches) {
    List<TurnResult> parked = live(Engine.of(code), List.of(batches));
    List<TurnResult> rebuilt = live(Engine.of(code).rebuildEachTurn(), List.of(batches));
    assertThat(rebuilt).as("rebuilt each turn as parked").isEqualTo(parked);
    return parked;
  }

  /** The last of these turns. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  static TurnResult last(OrchestrationCode code, List<WorkItem>... batches) {
    return of(code, batches).getLast();
  }

  private static List<TurnResult> live(Engine engine, List<List<WorkItem>> batches) {
    engine.started("in");
    List<TurnResult> results = new ArrayList<>();
    for (List<WorkItem> batch : batches) {
      results.add(engine.turn(batch.toArray(WorkItem[]::new)));
    }
    engine.close();
    return results;
  }
}
