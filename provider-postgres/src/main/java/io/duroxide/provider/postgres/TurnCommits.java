package io.duroxide.provider.postgres;

import io.duroxide.provider.PruneOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commits of turns of every kind, at most one for each stored instance. Confined to a lane. */
final class TurnCommits implements Batch {
  static final int COMMITTED = 0;
  static final int DUPLICATE = 2;
  static final int OVERTAKEN = 3;
  static final int COMMITTED_BEFORE = 4;

  /** Stored instances as everyone locks them, then new ones as everyone makes them. */
  private static final Comparator<CommitTurn> ORDER =
      Comparator.comparing(CommitTurn::isNew)
          .thenComparingLong(turn -> turn.lock().key())
          .thenComparing(CommitTurn::instance);

  private final StoreClock clock;
  private final long node;
  private final List<CommitTurn> turns;
  private final List<SettledTurn> settled = new ArrayList<>();
  private boolean again;

  TurnCommits(StoreClock clock, long node, List<CommitTurn> turns) {
    this.clock = clock;
    this.node = node;
    this.turns = turns.stream().sorted(ORDER).toList();
  }

  private static final String COMMIT_ONE =
      """
      SELECT * FROM @.commit_one(?, ?, ?, ?::jsonb)
      """;

  private static final String COMMIT_MANY =
      """
      SELECT * FROM @.commit_many(?, ?, ?, ?::jsonb)
      """;

  @Override
  public String statement() {
    return turns.size() == 1 ? COMMIT_ONE : COMMIT_MANY;
  }

  @Override
  public void again() {
    again = true;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    to.number(clock.given());
    to.number(node);
    to.flag(again);
    to.rows(
        turns.size() == 1
            ? turns.getFirst().row()
            : RowText.list(turns.stream().map(CommitTurn::row).toList()));
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    settled.clear();
    for (CommitTurn turn : turns) {
      rows.next();
      if (turn.conclude(rows.getInt("verdict"), rows.getLong("key"), pruned(turn, rows))) {
        long next = rows.getLong("next");
        settled.add(new SettledTurn(turn, rows.wasNull() ? Millis.NEVER : next));
      }
    }
  }

  private static @Nullable PruneOutcome pruned(CommitTurn turn, ResultSet row) throws SQLException {
    if (turn.commit().prune() == null) {
      return null;
    }
    String error = row.getString("error");
    return error == null
        ? new PruneOutcome(row.getLong("executions"), row.getLong("events"), null)
        : PruneOutcome.failed(error);
  }

  @Override
  public void announce(Wakes turnWakes, Wakes workWakes) {
    long now = clock.millis();
    settled.forEach(turn -> turn.announce(now, turnWakes, workWakes));
  }
}
