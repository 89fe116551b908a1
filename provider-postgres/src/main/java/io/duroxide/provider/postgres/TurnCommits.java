package io.duroxide.provider.postgres;

import io.duroxide.model.ActivityKey;
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
    TurnColumns columns = new TurnColumns(turns);
    columns.bindTurns(to);
    to.flags(turns, turn -> again);
    to.maybeLongs(turns, TurnColumns.step(step -> step.activity().instance()));
    columns.bindSteps(to);
    columns.bindMetadata(to);
    bindCustomStatuses(to);
    bindPruning(to);
    bindValues(to, TurnPart.of(turns, turn -> turn.parts().values()));
    columns.bindEvents(to);
    bindActivities(to, TurnPart.of(turns, CommitTurn::orders));
    bindCancelled(to, TurnPart.of(turns, turn -> turn.commit().cancelledActivities()));
    bindMessages(to, TurnPart.of(turns, turn -> turn.parts().messages()));
  }

  private void bindCustomStatuses(Binder to) throws SQLException {
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

  private static void bindValues(Binder to, List<TurnPart<ValueChange>> values)
      throws SQLException {
    to.ints(values, TurnPart::turn);
    to.shorts(values, part -> part.value().op());
    to.texts(values, part -> part.value().key());
    to.maybeLongs(values, part -> part.value().at());
    to.texts(values, part -> part.value().value());
  }

  private static void bindActivities(Binder to, List<TurnPart<Order>> orders) throws SQLException {
    to.ints(orders, TurnPart::turn);
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

  private static void bindCancelled(Binder to, List<TurnPart<ActivityKey>> keys)
      throws SQLException {
    to.ints(keys, TurnPart::turn);
    to.texts(keys, part -> owner(part, part.value()));
    to.longs(keys, part -> part.value().executionId());
    to.longs(keys, part -> part.value().activityId());
  }

  /** The instance an activity is for, if it is not the turn's own. */
  private static @Nullable String owner(TurnPart<?> part, ActivityKey activity) {
    String instance = activity.instance();
    return instance.equals(part.of().instance()) ? null : instance;
  }

  private static void bindMessages(Binder to, List<TurnPart<NewMessage>> messages)
      throws SQLException {
    to.ints(messages, TurnPart::turn);
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
