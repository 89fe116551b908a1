package io.duroxide.provider.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Activities from outside turns.
 *
 * @param receipt tells a repeated call that the first one arrived
 */
record WorkSends(StoreClock clock, List<SendWork> commands, Receipts.Receipt receipt)
    implements Batch {
  private static final String ENQUEUE =
      """
      SELECT @.enqueue_work(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  @Override
  public String statement() {
    return ENQUEUE;
  }

  @Override
  public void bind(Binder to) throws SQLException {
    List<NewWork> works = commands.stream().map(SendWork::work).toList();
    to.number(clock.given());
    to.uuid(receipt.id());
    to.uuids(receipt.settled(), id -> id);
    to.texts(works, work -> work.key().instance());
    to.longs(works, work -> work.key().executionId());
    to.longs(works, work -> work.key().activityId());
    to.texts(works, NewWork::name);
    to.texts(works, NewWork::tag);
    to.texts(works, NewWork::session);
    to.texts(works, NewWork::payload);
  }

  @Override
  public void read(ResultSet rows) {
    commands.forEach(command -> command.succeed(true));
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    work.ready(commands.size());
  }
}
