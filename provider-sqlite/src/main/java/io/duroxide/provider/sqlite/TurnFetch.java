package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.Semver;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationIdentity;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One fetch of instances: which are next? Run by the writer. */
final class TurnFetch implements Command<List<RawTurn>> {
  private static final Logger LOG = LoggerFactory.getLogger(TurnFetch.class);
  private static final String UNKNOWN = "unknown";
  private static final Place BEGINNING = new Place(Long.MIN_VALUE, Long.MIN_VALUE);

  /** How many instances whose time has come are moved to the ready line at once. */
  private static final int PROMOTED = 1000;

  /** How many instances are looked at together once the first did not suffice. */
  private static final int PAGE = 64;

  private final OrchestrationFetch request;
  private final int max;

  TurnFetch(OrchestrationFetch request, int max) {
    this.request = request;
    this.max = max;
  }

  /** An instance about to be locked. */
  private record Candidate(InstanceRow row, List<StoredMessage> batch, RawTurn turn) {}

  /** Everything is read before anything is locked, so that a failure leaves no lock (L1). */
  @Override
  public List<RawTurn> run(Tables tables) throws SQLException {
    while (true) {
      boolean all = tables.instances().promote(PROMOTED) < PROMOTED;
      List<RawTurn> taken = new Sweep(tables).run();
      if (all || !taken.isEmpty()) {
        return taken;
      }
    }
  }

  /** One walk along the ready line. */
  private final class Sweep {
    private final Tables tables;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<InstanceRow> orphans = new ArrayList<>();

    Sweep(Tables tables) {
      this.tables = tables;
    }

    List<RawTurn> run() throws SQLException {
      search();
      for (InstanceRow orphan : orphans) {
        drop(orphan);
      }
      List<RawTurn> turns = new ArrayList<>(candidates.size());
      for (Candidate candidate : candidates) {
        RawTurn turn = candidate.turn();
        tables
            .orchestratorQueue()
            .take(candidate.row(), candidate.batch(), turn.lock().token(), request.lockTimeout());
        turns.add(turn);
      }
      return turns;
    }

    private void search() throws SQLException {
      Place after = BEGINNING;
      int page = max;
      while (candidates.size() < max) {
        List<InstanceRow> rows = tables.instances().ready(after, page);
        for (InstanceRow row : rows) {
          after = new Place(row.slot().at(), row.slot().seq());
          consider(row);
          if (candidates.size() >= max) {
            return;
          }
        }
        if (rows.size() < page) {
          return;
        }
        page = PAGE;
      }
    }

    private void consider(InstanceRow row) throws SQLException {
      if (row.lock().isValid(tables.tx().now())) {
        return;
      }
      List<StoredMessage> batch = tables.messages().visible(row.key());
      if (isOrphaned(row, batch)) {
        orphans.add(row);
      } else if (!batch.isEmpty()) {
        InstanceRow known = completed(row);
        if (isAdmitted(known, batch)) {
          candidates.add(new Candidate(row, batch, read(known, batch)));
        }
      }
    }

    /** Queue messages for an instance that is neither known nor about to start reach nobody. */
    private boolean isOrphaned(InstanceRow row, List<StoredMessage> batch) throws SQLException {
      return !row.isKnown()
          && batch.stream().allMatch(message -> message.kind() == MessageKind.QUEUE)
          && !tables.messages().hasMoreThanQueueMessages(row.key());
    }

    private void drop(InstanceRow orphan) throws SQLException {
      int dropped = tables.orchestratorQueue().clear(orphan);
      LOG.atWarn()
          .addKeyValue("instance", orphan.id())
          .addKeyValue("messages", dropped)
          .log("dropped queue messages for an unknown instance");
    }

    /** An instance without a name goes by its latest history. */
    private InstanceRow completed(InstanceRow row) throws SQLException {
      if (row.stage() != InstanceRow.UNNAMED) {
        return row;
      }
      Records records = tables.records();
      long latest = records.executions().latest(row.key());
      return new InstanceRow(
          row.ref(),
          row.stage(),
          row.slot(),
          row.lock(),
          records.executions().current(row.key(), latest),
          records.history().recorded(row.key(), latest),
          row.hasValues());
    }

    private RawTurn read(InstanceRow row, List<StoredMessage> batch) throws SQLException {
      Current current = row.current();
      ExecutionKey execution =
          new ExecutionKey(row.id(), row.isKnown() ? current.execution() : ExecutionKey.FIRST);
      long after = row.isKnown() ? kept(row, execution) : 0;
      return new RawTurn(
          new RawTurn.Lock(tables.tokens().forInstance(row.key()), attempts(row.lock(), batch)),
          execution,
          identity(row, batch),
          after,
          events(row, after),
          batch,
          after == 0 ? values(row) : Map.of());
    }

    /** The caller's newest event, if it is one of this very instance and not of a namesake's. */
    private long kept(InstanceRow row, ExecutionKey execution) {
      CachedHistory.Tip tip = request.cached().tip(execution);
      if (tip == null
          || Tokens.instance("fetchOrchestrationItem", tip.commitToken()) != row.key()) {
        return 0;
      }
      return tip.lastEventId() <= row.current().lastEvent() ? tip.lastEventId() : 0;
    }

    private List<StoredEvent> events(InstanceRow row, long after) throws SQLException {
      Current current = row.current();
      return current.lastEvent() <= after
          ? List.of()
          : tables.records().history().after(row.key(), current.execution(), after);
    }

    private Map<String, KvEntry> values(InstanceRow row) throws SQLException {
      return row.hasValues() ? tables.records().values().snapshot(row.key()) : Map.of();
    }
  }

  /** The largest attempt count of the batch, this fetch included. */
  private static int attempts(InstanceLock previous, List<StoredMessage> batch) {
    return 1
        + batch.stream()
            .mapToInt(message -> message.attempts() + (previous.holds(message.place()) ? 1 : 0))
            .max()
            .orElse(0);
  }

  /** Name and version as recorded, else as the start says, wherever it stands in the batch. */
  private static OrchestrationIdentity identity(InstanceRow row, List<StoredMessage> batch) {
    OrchestrationIdentity recorded = row.orchestration();
    if (recorded != null) {
      return recorded;
    }
    return batch.stream()
        .filter(message -> message.kind().isStart())
        .findFirst()
        .map(
            start -> new OrchestrationIdentity(orUnknown(start.name()), orUnknown(start.version())))
        .orElse(new OrchestrationIdentity(UNKNOWN, UNKNOWN));
  }

  private static String orUnknown(@Nullable String text) {
    return text == null ? UNKNOWN : text;
  }

  private boolean isAdmitted(InstanceRow row, List<StoredMessage> batch) {
    DispatcherCapabilityFilter filter = request.filter();
    if (filter == null) {
      return true;
    }
    String pin = row.current().pin();
    return filter.admitsPin(pin == null ? null : Semver.parse(pin))
        && (filter.handlers() == null || hasHandler(filter, row, batch));
  }

  /**
   * A new execution runs what its start asks for, a recorded one what is recorded. What cannot be
   * told passes: somebody has to fetch it and give it up.
   */
  private static boolean hasHandler(
      DispatcherCapabilityFilter filter, InstanceRow row, List<StoredMessage> batch) {
    Optional<StoredMessage> next = first(batch, MessageKind.CONTINUE);
    if (next.isPresent()) {
      return admits(filter, next.orElseThrow());
    }
    OrchestrationIdentity recorded = row.orchestration();
    if (recorded != null) {
      return filter.admitsHandler(recorded.name(), recorded.version());
    }
    return first(batch, MessageKind.START).map(start -> admits(filter, start)).orElse(true);
  }

  private static Optional<StoredMessage> first(List<StoredMessage> batch, MessageKind kind) {
    return batch.stream().filter(message -> message.kind() == kind).findFirst();
  }

  private static boolean admits(DispatcherCapabilityFilter filter, StoredMessage start) {
    String name = start.name();
    return name == null || filter.admitsHandler(name, start.version());
  }
}
