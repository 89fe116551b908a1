package io.duroxide.provider.sqlite;

import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.PruneResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Deletes finished executions that are no longer current. Run by the writer.
 *
 * <p>Executions are looked at from the oldest on. One ends before the next begins, so a commit does
 * not look behind the first that is too young: what it costs follows what it deletes, not what is
 * kept.
 */
final class Pruning {
  private static final int PAGE = 64;

  private final Tables tables;
  private final Sql sql;

  Pruning(Tables tables) {
    this.tables = tables;
    this.sql = tables.tx().sql();
  }

  /** Prunes an instance; nothing is processed if it does not exist. */
  PruneResult prune(String instance, PruneOptions options) throws SQLException {
    InstanceRow row = tables.instances().find(instance);
    return row == null ? PruneResult.NONE : prune(row, options, true);
  }

  /** Prunes the instance of a turn; what fails is undone and does not harm the turn. */
  PruneOutcome prune(InstanceRow row, PruneOptions options) throws SQLException {
    Totals.Change before = tables.tx().totals().change();
    sql.control("SAVEPOINT prune");
    try {
      PruneResult result = prune(row, options, false);
      sql.control("RELEASE prune");
      return PruneOutcome.of(result);
    } catch (SQLException failure) {
      sql.control("ROLLBACK TO prune");
      sql.control("RELEASE prune");
      tables.tx().totals().restore(before);
      tables.records().history().forget();
      return PruneOutcome.failed(String.valueOf(failure.getMessage()));
    }
  }

  private PruneResult prune(InstanceRow row, PruneOptions options, boolean thorough)
      throws SQLException {
    return row.exists() ? new Run(row, options, thorough).prune() : PruneResult.NONE;
  }

  private static final String NEWEST_BUT =
      """
      SELECT id FROM duroxide_execution WHERE instance = ? ORDER BY id DESC LIMIT 1 OFFSET 0 + ?
      """;

  private static final String OLDEST =
      """
      SELECT id, status, completed_at, version FROM duroxide_execution
      WHERE instance = ? AND id > ? AND id < ? ORDER BY id LIMIT 0 + ?
      """;

  private static final String VERSION =
      """
      SELECT version FROM duroxide_execution WHERE instance = ? AND id = ?
      """;

  private static final String PREVIOUS_VERSION =
      """
      SELECT id FROM duroxide_execution
      WHERE instance = ?1 AND version =
        (SELECT version FROM duroxide_execution WHERE instance = ?1 AND version <> ?2
         ORDER BY id DESC LIMIT 1)
      ORDER BY id DESC LIMIT ?3
      """;

  /** An execution that may have to go. */
  private record Candidate(
      long id, String status, @Nullable Long completedAt, @Nullable String version) {}

  /** The pruning of one instance. */
  private final class Run {
    private final InstanceRow row;
    private final PruneOptions options;
    private final boolean thorough;
    private final @Nullable Long before;
    private final @Nullable String version;
    private @Nullable Set<Long> witnesses;
    private long executions;
    private long events;

    Run(InstanceRow row, PruneOptions options, boolean thorough) throws SQLException {
      this.row = row;
      this.options = options;
      this.thorough = thorough;
      Instant cut = options.completedBefore();
      this.before = cut == null ? null : StoreTime.millis(cut);
      this.version =
          options.keepPreviousVersion() == 0
              ? null
              : sql.first(VERSION, found -> found.getString(1), row.key(), row.execution());
    }

    PruneResult prune() throws SQLException {
      long end = end();
      long last = 0;
      boolean more = true;
      while (more) {
        List<Candidate> page = page(last, end);
        for (Candidate candidate : page) {
          if (mayGo(candidate)) {
            delete(candidate.id());
          }
          last = candidate.id();
        }
        more = page.size() == PAGE && (thorough || !isTooYoung(page.getLast()));
      }
      return new PruneResult(1, executions, events);
    }

    /** The lowest id that stays because it is one of the highest. */
    private long end() throws SQLException {
      Integer keepLast = options.keepLast();
      return keepLast == null || keepLast < 1
          ? Long.MAX_VALUE
          : sql.number(NEWEST_BUT, row.key(), keepLast - 1);
    }

    private List<Candidate> page(long last, long end) throws SQLException {
      return sql.list(
          OLDEST,
          found ->
              new Candidate(
                  found.getLong(1),
                  found.getString(2),
                  Sql.nullableLong(found, 3),
                  found.getString(4)),
          row.key(),
          last,
          end,
          PAGE);
    }

    private boolean mayGo(Candidate candidate) throws SQLException {
      return candidate.id() != row.execution()
          && !candidate.status().equals("Running")
          && !isTooYoung(candidate)
          && !isWitness(candidate);
    }

    private boolean isTooYoung(Candidate candidate) {
      Long completedAt = candidate.completedAt();
      return before != null && (completedAt == null || completedAt >= before);
    }

    private boolean isWitness(Candidate candidate) throws SQLException {
      if (version == null || candidate.version() == null || version.equals(candidate.version())) {
        return false;
      }
      if (witnesses == null) {
        witnesses =
            new HashSet<>(
                sql.list(
                    PREVIOUS_VERSION,
                    found -> found.getLong(1),
                    row.key(),
                    version,
                    options.keepPreviousVersion()));
      }
      return witnesses.contains(candidate.id());
    }

    private void delete(long id) throws SQLException {
      events += tables.records().history().delete(row.key(), id);
      tables.records().executions().delete(row.key(), id);
      executions++;
    }
  }
}
