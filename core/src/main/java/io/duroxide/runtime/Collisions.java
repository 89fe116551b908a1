package io.duroxide.runtime;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to starts of an instance that exists: one that carries a parent link must not
 * leave that parent waiting. Pure.
 */
final class Collisions {
  private Collisions() {}

  /**
   * The answers: a refusal for every parent but the instance's own, which gets the end again.
   *
   * @param own the instance's parent, if it has one
   * @param end how the instance ended, if it did
   */
  static List<WorkItem> answers(
      List<? extends WorkItem.StartLike> starts,
      @Nullable ParentLink own,
      EventKind.@Nullable Terminal end) {
    List<WorkItem> answers = new ArrayList<>();
    for (WorkItem.StartLike start : starts) {
      ParentLink asking = start.parent();
      WorkItem answer = asking == null ? null : answer(start.instance(), asking, own, end);
      if (answer != null) {
        answers.add(answer);
      }
    }
    return answers;
  }

  private static @Nullable WorkItem answer(
      String instance,
      ParentLink asking,
      @Nullable ParentLink own,
      EventKind.@Nullable Terminal end) {
    if (!asking.equals(own)) {
      return refusal(asking, instance);
    }
    return end == null ? null : ParentNotice.of(asking, end);
  }

  private static WorkItem refusal(ParentLink asking, String instance) {
    ErrorDetails details =
        new ErrorDetails.Application(
            ApplicationErrorKind.ORCHESTRATION_FAILED,
            "instance '"
                + instance
                + "' already exists; choose another id for the child or let one be generated");
    return new WorkItem.SubOrchFailed(
        asking.instance(), asking.executionId(), asking.scheduleId(), details);
  }
}
