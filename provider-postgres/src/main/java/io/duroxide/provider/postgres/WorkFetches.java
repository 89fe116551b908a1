package io.duroxide.provider.postgres;

import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.StoredText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Fetches of activities that ask for the same. */
final class WorkFetches implements Batch {
  private static final int SUMMARY = 0;

  private final StoreClock clock;
  private final FetchWork.Shape shape;
  private final List<FetchWork> commands;
  private final List<UUID> tokens;
  private boolean found;
  private boolean again;

  WorkFetches(StoreClock clock, List<FetchWork> commands, Tokens tokens) {
    this.clock = clock;
    this.shape = commands.getFirst().shape();
    this.commands = commands;
    int wanted = commands.stream().mapToInt(FetchWork::max).sum();
    this.tokens = Stream.generate(tokens::secret).limit(wanted).toList();
  }

  private static final String FETCH =
      """
      SELECT * FROM @.fetch_work(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return FETCH;
  }

  @Override
  public void again() {
    again = true;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    Set<String> names = shape.names();
    SessionFetchConfig session = shape.session();
    to.number(clock.given());
    to.uuids(tokens, token -> token);
    to.number(shape.lock());
    to.someTexts(names == null ? null : names.stream().map(StoredText::escaped).toList());
    List<String> tags = shape.storedTags();
    to.someTexts(tags == null ? null : tags.stream().map(StoredText::escaped).toList());
    to.text(session == null ? null : session.ownerId());
    to.number(session == null ? 0L : Millis.of(session.lockTimeout()));
    to.integer(session == null ? 0 : session.maxNewSessions());
    to.flag(shape.asks());
    to.flag(again);
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    List<RawWork> works = new ArrayList<>();
    boolean left = false;
    boolean contended = false;
    long now = 0;
    long next = Millis.NEVER;
    while (rows.next()) {
      if (rows.getInt("part") == SUMMARY) {
        left = rows.getBoolean("is_left");
        contended = rows.getBoolean("contended");
        now = rows.getLong("now");
        long change = rows.getLong("next");
        next = rows.wasNull() ? Millis.NEVER : change;
      } else {
        works.add(work(rows));
      }
    }
    clock.heard(now);
    found = !works.isEmpty();
    boolean all = works.size() < tokens.size() && !left;
    share(works, new Look<>(List.of(), contended, now, next, all));
  }

  private static RawWork work(ResultSet row) throws SQLException {
    Tokens.Work lock =
        new Tokens.Work(
            row.getLong("key"),
            row.getLong("execution"),
            row.getLong("activity"),
            row.getObject("token", UUID.class));
    return new RawWork(
        lock,
        StoredText.unescaped(row.getString("id")),
        row.getInt("attempts"),
        row.getString("payload"));
  }

  /** Hands out what was found: each command gets up to what it asked for, in their order. */
  private void share(List<RawWork> works, Look<RawWork> look) {
    int from = 0;
    for (FetchWork command : commands) {
      int to = Math.min(works.size(), from + command.max());
      command.succeed(look.with(List.copyOf(works.subList(from, to))));
      from = to;
    }
  }

  @Override
  public boolean onlyMovesLocks() {
    return true;
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    if (found) {
      work.later(clock.millis() + shape.lock());
    }
  }
}
