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

/**
 * What functions are told of each turn, whatever is in its way, in the order of their parameters.
 */
record NewTurnColumns(List<NewTurn> turns) {

  static NewTurnColumns of(List<? extends NewTurn> turns) {
    return new NewTurnColumns(List.copyOf(turns));
  }

  void bindMetadata(Binder to) throws SQLException {
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

  /** For functions that know only activities of the turn's own execution. */
  void bindOrders(Binder to) throws SQLException {
    List<TurnPart<Order>> orders = TurnPart.of(turns, NewTurn::orders);
    to.ints(orders, TurnPart::turn);
    to.longs(orders, part -> part.value().work().key().activityId());
    to.texts(orders, part -> part.value().work().name());
    to.texts(orders, part -> part.value().work().tag());
    to.texts(orders, part -> part.value().work().session());
    to.texts(orders, part -> part.value().work().payload());
    to.uuids(orders, part -> part.value().secret());
    to.maybeLongs(orders, part -> part.value().lock());
  }

  private static <T> Function<NewTurn, @Nullable T> parent(Function<ParentLink, T> of) {
    return turn -> {
      ParentLink parent = turn.commit().metadata().parent();
      return parent == null ? null : of.apply(parent);
    };
  }

  private static <T> Function<NewTurn, @Nullable T> start(
      Function<EventKind.OrchestrationStarted, T> of) {
    return turn -> {
      EventKind.OrchestrationStarted start = turn.parts().start();
      return start == null ? null : of.apply(start);
    };
  }

  private static <T> Function<NewTurn, @Nullable T> noted(
      Function<ExecutionMetadata, @Nullable T> of) {
    return turn -> of.apply(turn.commit().metadata());
  }

  /** Name and version count only together. */
  private static Function<NewTurn, @Nullable String> named(
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
