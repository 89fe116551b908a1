package io.duroxide.provider.postgres;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionMetadata;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What functions are told of each turn that they commit, in the order of their parameters. */
record TurnColumns(List<CommitTurn> turns) {

  void bindTurns(Binder to) throws SQLException {
    to.longs(turns, turn -> turn.lock().key());
    to.uuids(turns, turn -> turn.lock().secret());
    to.longs(turns, turn -> turn.commit().executionId());
    to.longs(turns, turn -> turn.parts().oldestEvent());
    to.longs(turns, turn -> turn.parts().newestEvent());
  }

  /** Null for turns that do not follow from an activity. */
  void bindSteps(Binder to) throws SQLException {
    to.maybeLongs(turns, step(step -> step.activity().execution()));
    to.maybeLongs(turns, step(step -> step.activity().activity()));
    to.uuids(turns, step(step -> step.activity().secret()));
    to.uuids(turns, step(step -> step.tip().secret()));
    to.maybeLongs(turns, step(CommitTurn.Step::lastEvent));
  }

  static <T> Function<CommitTurn, @Nullable T> step(Function<CommitTurn.Step, T> of) {
    return turn -> {
      CommitTurn.Step step = turn.step();
      return step == null ? null : of.apply(step);
    };
  }

  void bindMetadata(Binder to) throws SQLException {
    to.flags(turns, turn -> turn.parts().isNoted(turn.commit().metadata()));
    to.texts(turns, named(ExecutionMetadata::orchestrationName));
    to.texts(turns, named(ExecutionMetadata::orchestrationVersion));
    to.texts(turns, parent(ParentLink::instance));
    to.maybeLongs(turns, parent(ParentLink::executionId));
    to.maybeLongs(turns, parent(ParentLink::scheduleId));
    to.texts(turns, noted(metadata -> stored(metadata.status())));
    to.texts(turns, noted(ExecutionMetadata::output));
    to.texts(turns, noted(metadata -> pin(metadata.pinnedVersion())));
    to.maybeInts(turns, noted(ExecutionMetadata::carryForwardCount));
    to.texts(turns, noted(ExecutionMetadata::orchestrationVersion));
    to.texts(turns, start(EventKind.OrchestrationStarted::name));
    to.texts(turns, start(EventKind.OrchestrationStarted::version));
    to.maybeInts(turns, start(start -> start.inheritance().messages().size()));
  }

  void bindEvents(Binder to) throws SQLException {
    List<TurnPart<StoredEvent>> events = TurnPart.of(turns, turn -> turn.parts().events());
    to.ints(events, TurnPart::turn);
    to.longs(events, part -> part.value().id());
    to.texts(events, part -> part.value().data());
  }

  private static <T> Function<CommitTurn, @Nullable T> parent(Function<ParentLink, T> of) {
    return turn -> {
      ParentLink parent = turn.commit().metadata().parent();
      return parent == null ? null : of.apply(parent);
    };
  }

  private static <T> Function<CommitTurn, @Nullable T> start(
      Function<EventKind.OrchestrationStarted, T> of) {
    return turn -> {
      EventKind.OrchestrationStarted start = turn.parts().start();
      return start == null ? null : of.apply(start);
    };
  }

  private static <T> Function<CommitTurn, @Nullable T> noted(
      Function<ExecutionMetadata, @Nullable T> of) {
    return turn -> of.apply(turn.commit().metadata());
  }

  /** Name and version count only together. */
  private static Function<CommitTurn, @Nullable String> named(
      Function<ExecutionMetadata, @Nullable String> of) {
    return noted(metadata ->
        metadata.orchestrationName() == null || metadata.orchestrationVersion() == null
            ? null
            : of.apply(metadata));
  }

  private static @Nullable String stored(@Nullable ExecutionStatus status) {
    return status == null ? null : status.stored();
  }

  private static @Nullable String pin(@Nullable Semver version) {
    return version == null ? null : TurnParts.pin(version);
  }
}
