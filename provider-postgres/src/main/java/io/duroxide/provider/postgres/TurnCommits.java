package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Commits of turns, at most one for each instance. */
final class TurnCommits implements Batch {
  static final int COMMITTED = 0;
  static final int DUPLICATE = 2;
  static final int OVERTAKEN = 3;
  static final int COMMITTED_BEFORE = 4;

  private final StoreClock clock;
  private final long node;
  private final List<CommitTurn> turns;
  private final List<SettledTurn> settled = new ArrayList<>();
  private boolean again;

  /**
   * Something that a turn has several of.
   *
   * @param turn the position of the turn, from 1 on
   */
  private record Part<T>(int turn, CommitTurn of, T value) {}

  TurnCommits(StoreClock clock, long node, List<CommitTurn> turns) {
    this.clock = clock;
    this.node = node;
    this.turns = turns;
  }

  private static final String COMMIT =
      """
      SELECT * FROM @.commit_turns_v1(
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return COMMIT;
  }

  @Override
  public void again() {
    again = true;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.number(node);
    bindTurns(to);
    bindSteps(to);
    bindMetadata(to);
    bindPruning(to);
    bindValues(to, parts(turn -> turn.parts().values()));
    bindEvents(to, parts(turn -> turn.parts().events()));
    bindActivities(to, parts(CommitTurn::orders));
    bindCancelled(to, parts(turn -> turn.commit().cancelledActivities()));
    bindMessages(to, parts(turn -> turn.parts().messages()));
  }

  private <T> List<Part<T>> parts(Function<CommitTurn, List<T>> of) {
    List<Part<T>> parts = new ArrayList<>();
    for (int i = 0; i < turns.size(); i++) {
      CommitTurn turn = turns.get(i);
      for (T value : of.apply(turn)) {
        parts.add(new Part<>(i + 1, turn, value));
      }
    }
    return parts;
  }

  private void bindTurns(Binder to) throws SQLException {
    to.longs(turns, turn -> turn.lock().key());
    to.uuids(turns, turn -> turn.lock().secret());
    to.longs(turns, turn -> turn.commit().executionId());
    to.longs(turns, turn -> turn.parts().oldestEvent());
    to.longs(turns, turn -> turn.parts().newestEvent());
    to.flags(turns, turn -> again);
  }

  private void bindSteps(Binder to) throws SQLException {
    to.maybeLongs(turns, step(step -> step.activity().instance()));
    to.maybeLongs(turns, step(step -> step.activity().execution()));
    to.maybeLongs(turns, step(step -> step.activity().activity()));
    to.uuids(turns, step(step -> step.activity().secret()));
    to.uuids(turns, step(step -> step.tip().secret()));
    to.maybeLongs(turns, step(CommitTurn.Step::lastEvent));
  }

  private static <T> Function<CommitTurn, @Nullable T> step(Function<CommitTurn.Step, T> of) {
    return turn -> {
      CommitTurn.Step step = turn.step();
      return step == null ? null : of.apply(step);
    };
  }

  private void bindMetadata(Binder to) throws SQLException {
    to.flags(turns, turn -> turn.parts().isNoted(turn.commit().metadata()));
    to.texts(turns, named(ExecutionMetadata::orchestrationName));
    to.texts(turns, named(ExecutionMetadata::orchestrationVersion));
    to.texts(turns, parent(ParentLink::instance));
    to.maybeLongs(turns, parent(ParentLink::executionId));
    to.maybeLongs(turns, parent(ParentLink::scheduleId));
    to.texts(turns, noted(metadata -> stored(metadata.status())));
    to.texts(turns, noted(ExecutionMetadata::output));
    to.texts(
        turns,
        noted(metadata ->
            metadata.pinnedVersion() == null ? null : TurnParts.pin(metadata.pinnedVersion())));
    to.maybeInts(turns, noted(ExecutionMetadata::carryForwardCount));
    to.texts(turns, noted(ExecutionMetadata::orchestrationVersion));
    bindStarts(to);
  }

  private void bindStarts(Binder to) throws SQLException {
    to.texts(turns, turn -> turn.parts().start() == null ? null : turn.parts().start().name());
    to.texts(turns, turn -> turn.parts().start() == null ? null : turn.parts().start().version());
    to.maybeInts(
        turns,
        turn ->
            turn.parts().start() == null
                ? null
                : turn.parts().start().inheritance().messages().size());
    to.flags(turns, turn -> turn.parts().customStatus() != null);
    to.texts(
        turns,
        turn -> turn.parts().customStatus() == null ? null : turn.parts().customStatus().status());
  }

  private void bindPruning(Binder to) throws SQLException {
    to.flags(turns, turn -> turn.commit().prune() != null);
    to.maybeInts(turns, pruned(PruneOptions::keepLast));
    to.maybeLongs(
        turns,
        pruned(options -> {
          Instant before = options.completedBefore();
          return before == null ? null : Millis.of(before);
        }));
    to.maybeInts(turns, pruned(PruneOptions::keepPreviousVersion));
  }

  private static <T> Function<CommitTurn, @Nullable T> pruned(
      Function<PruneOptions, @Nullable T> of) {
    return turn -> {
      PruneOptions options = turn.commit().prune();
      return options == null ? null : of.apply(options);
    };
  }

  private static <T> Function<CommitTurn, @Nullable T> parent(Function<ParentLink, T> of) {
    return turn -> {
      ParentLink parent = turn.commit().metadata().parent();
      return parent == null ? null : of.apply(parent);
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

  private static void bindValues(Binder to, List<Part<ValueChange>> values) throws SQLException {
    to.ints(values, Part::turn);
    to.shorts(values, part -> part.value().op());
    to.texts(values, part -> part.value().key());
    to.maybeLongs(values, part -> part.value().at());
    to.texts(values, part -> part.value().value());
  }

  private static void bindEvents(Binder to, List<Part<StoredEvent>> events) throws SQLException {
    to.ints(events, Part::turn);
    to.longs(events, part -> part.value().id());
    to.texts(events, part -> part.value().data());
  }

  private static void bindActivities(Binder to, List<Part<Order>> orders) throws SQLException {
    to.ints(orders, Part::turn);
    to.texts(orders, part -> owner(part, part.value().work().key()));
    to.longs(orders, part -> part.value().work().key().executionId());
    to.longs(orders, part -> part.value().work().key().activityId());
    to.texts(orders, part -> part.value().work().name());
    to.texts(orders, part -> part.value().work().tag());
    to.texts(orders, part -> part.value().work().session());
    to.texts(orders, part -> part.value().work().payload());
    to.uuids(orders, part -> part.value().secret());
    to.maybeLongs(orders, part -> part.value().lock());
  }

  private static void bindCancelled(Binder to, List<Part<ActivityKey>> keys) throws SQLException {
    to.ints(keys, Part::turn);
    to.texts(keys, part -> owner(part, part.value()));
    to.longs(keys, part -> part.value().executionId());
    to.longs(keys, part -> part.value().activityId());
  }

  /** The instance an activity is for, if it is not the turn's own. */
  private static @Nullable String owner(Part<?> part, ActivityKey activity) {
    String instance = activity.instance();
    return instance.equals(part.of().lock().instance()) ? null : instance;
  }

  private static void bindMessages(Binder to, List<Part<NewMessage>> messages) throws SQLException {
    to.ints(messages, Part::turn);
    to.texts(messages, part -> part.value().instance());
    to.shorts(messages, part -> part.value().kind());
    to.longs(messages, part -> part.value().fireAt());
    to.texts(messages, part -> part.value().parent());
    to.texts(messages, part -> part.value().name());
    to.texts(messages, part -> part.value().version());
    to.texts(messages, part -> part.value().payload());
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    settled.clear();
    for (CommitTurn turn : turns) {
      rows.next();
      if (turn.conclude(rows.getInt(1), pruned(turn, rows))) {
        settled.add(SettledTurn.read(turn, rows));
      }
    }
  }

  private static @Nullable PruneOutcome pruned(CommitTurn turn, ResultSet row) throws SQLException {
    if (turn.commit().prune() == null) {
      return null;
    }
    String error = row.getString(5);
    return error == null
        ? new PruneOutcome(row.getLong(3), row.getLong(4), null)
        : PruneOutcome.failed(error);
  }

  @Override
  public void announce(Wakes turnWakes, Wakes workWakes) {
    long now = clock.millis();
    settled.forEach(turn -> turn.announce(now, turnWakes, workWakes));
  }
}
