package io.duroxide.provider.sqlite;

import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.SendAnswer;
import io.duroxide.provider.Sending;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client sends, if its instance can take it. Encoded by the caller, run by the writer. */
final class CheckedSend implements Command<SendAnswer> {
  static final String OPERATION = "send";

  private final Sending sending;
  private final @Nullable NewMessage start;
  private final List<NewMessage> messages;

  CheckedSend(Sending sending) {
    this.sending = sending;
    Sending.Opening opening = sending.opening();
    this.start = opening == null ? null : NewMessage.of(OPERATION, opening.start());
    this.messages =
        sending.messages().stream().map(message -> NewMessage.of(OPERATION, message)).toList();
  }

  @Override
  public SendAnswer run(Tables tables) throws SQLException {
    InstanceRow row = tables.instances().find(sending.instance());
    boolean hasEnded = row != null && row.hasEnded();
    boolean isThere =
        row != null && (row.isKnown() || tables.messages().firstStart(row.key()) != null);
    Sending.Opening opening = sending.opening();
    if (opening == null || start == null) {
      boolean reaches = isThere || sending.orphans() == OrphanQueuePolicy.HOLD;
      return hasEnded ? SendAnswer.ENDED : reaches ? queued(tables) : SendAnswer.UNKNOWN;
    }
    if (!isThere || row == null) {
      tables.orchestratorQueue().enqueue(start, opening.delay());
      return queued(tables);
    }
    return switch (opening.rule()) {
      case NEW -> SendAnswer.EXISTS;
      case JOIN -> hasEnded ? SendAnswer.ENDED : queued(tables);
      case RESTART -> {
        if (hasEnded) {
          restart(tables, row, start, opening.delay());
        }
        yield queued(tables);
      }
    };
  }

  private SendAnswer queued(Tables tables) throws SQLException {
    for (NewMessage message : messages) {
      tables.orchestratorQueue().enqueue(message, Duration.ZERO);
    }
    return SendAnswer.ACCEPTED;
  }

  private static void restart(Tables tables, InstanceRow row, NewMessage start, Duration delay)
      throws SQLException {
    Records records = tables.records();
    long next = records.executions().latest(row.key()) + 1;
    records.executions().insert(row.key(), next, ExecutionMetadata.NONE);
    records.executions().saveTail(row.key(), row.execution(), row.tail());
    records.customStatuses().clear(row.key());
    tables.instances().saveRestart(row.key(), next);
    tables.orchestratorQueue().dropStarts(row.key());
    tables.orchestratorQueue().enqueue(start, Duration.ZERO);
    if (delay.isPositive()) {
      tables.orchestratorQueue().rest(row.key(), delay);
    }
  }
}
