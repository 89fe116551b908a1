package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.OrphanQueuePolicy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One fetch of instances: which are next? Run by the writer. */
final class TurnFetch implements Command<List<RawTurn>> {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final String UNKNOWN = "unknown";
  private static final Place BEGINNING = new Place(Long.MIN_VALUE, Long.MIN_VALUE);

  /** How many instances whose time has come are moved to the ready line at once. */
  private static final int PROMOTED = 1000;

  /** How many instances are looked at together once the first did not suffice. */
  private static final int PAGE = 64;

  private final OrchestrationFetch request;
  private final int max;
  private int dropped;

  TurnFetch(OrchestrationFetch request, int max) {
    this.request = request;
    this.max = max;
  }

  /** An instance about to be locked. */
  private record Candidate(InstanceRow row, Messages.Delivery delivery, RawTurn turn) {}

  /** An instance as the turn will see it. */
  private record Subject(InstanceRow row, Face face, Messages.Delivery delivery) {
    List<StoredMessage> messages() {
      return delivery.batch();
    }

    /** The orchestration that the first message of a kind begins. */
    StoredMessage.@Nullable Announced announced(Predicate<MessageKind> kind) {
      for (StoredMessage message : messages()) {
        if (kind.test(message.kind())) {
          return message.announced();
        }
      }
      return null;
    }
  }

  /** Everything is read before anything is locked, so that a failure leaves no lock (L1). */
  @Override
  public List<RawTurn> run(Tables tables) throws SQLException {
    dropped = 0;
    while (true) {
      boolean all = tables.instances().promote(PROMOTED) < PROMOTED;
      List<RawTurn> taken = new Sweep(tables).run();
      if (all || !taken.isEmpty()) {
        return taken;
      }
    }
  }

  /** How many messages the last run dropped. */
  int dropped() {
    return dropped;
  }

  /** One walk along the ready line. */
  private final class Sweep {
    private final Tables tables;
    private final List<Candidate> candidates = new ArrayList<>();
    private final List<InstanceRow> orphans = new ArrayList<>();
    private long bytes;
    private boolean isFull;

    Sweep(Tables tables) {
      this.tables = tables;
    }

    List<RawTurn> run() throws SQLException {
      search();
      for (InstanceRow orphan : orphans) {
        dropOrHold(orphan);
      }
      List<RawTurn> turns = new ArrayList<>(candidates.size());
      for (Candidate candidate : candidates) {
        RawTurn turn = candidate.turn();
        park(candidate.row(), candidate.delivery());
        tables
            .orchestratorQueue()
            .take(candidate.row(), turn.lock().token(), request.lockTimeout());
        turns.add(turn);
      }
      return turns;
    }

    /** What has no room stands apart from now on, so that the batch is all that is there. */
    private void park(InstanceRow row, Messages.Delivery delivery) throws SQLException {
      if (!delivery.heldBack().isEmpty()) {
        tables.messages().park(row.key(), delivery);
        tables.orchestratorQueue().noteParked(row);
      }
    }

    private void search() throws SQLException {
      Place after = BEGINNING;
      int page = max;
      while (candidates.size() < max) {
        List<InstanceRow> rows = tables.instances().ready(after, page);
        for (InstanceRow row : rows) {
          after = row.slot().place();
          consider(row);
          if (isFull || candidates.size() >= max) {
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
      Messages.Delivery delivery =
          tables.messages().deliverable(row.key(), row.mailboxes().rules());
      List<StoredMessage> batch = delivery.batch();
      if (isOrphaned(row, batch)) {
        orphans.add(row);
      } else if (!batch.isEmpty()) {
        Subject subject = subject(row, delivery);
        if (isAdmitted(subject)) {
          add(row, subject);
        }
      }
    }

    /** One fetch returns so many bytes at most, and at least one instance. */
    private void add(InstanceRow row, Subject subject) throws SQLException {
      bytes += subject.messages().stream().mapToLong(StoredMessage::bytes).sum();
      isFull = !candidates.isEmpty() && bytes > BatchBound.FETCH_BYTES;
      if (!isFull) {
        candidates.add(new Candidate(row, subject.delivery(), read(subject)));
      }
    }

    /** Queue messages for an instance that is neither known nor about to start reach nobody. */
    private boolean isOrphaned(InstanceRow row, List<StoredMessage> batch) throws SQLException {
      return !row.isKnown()
          && batch.stream().allMatch(message -> message.kind() == MessageKind.QUEUE)
          && !tables.messages().hasMoreThanQueueMessages(row.key());
    }

    private void dropOrHold(InstanceRow orphan) throws SQLException {
      if (request.orphans() == OrphanQueuePolicy.HOLD) {
        tables.instances().saveSlot(orphan.key(), Slot.NONE);
        return;
      }
      int messages = tables.orchestratorQueue().clear(orphan);
      dropped += messages;
      LOG.atWarn()
          .addKeyValue("instance_id", orphan.id())
          .addKeyValue("messages", messages)
          .log("dropped queue messages for an unknown instance");
    }

    /** An instance without a name goes by its latest history. */
    private Subject subject(InstanceRow row, Messages.Delivery delivery) throws SQLException {
      Face face = row.standing().face();
      if (row.stage() != InstanceRow.UNNAMED) {
        return new Subject(row, face, delivery);
      }
      Records records = tables.records();
      long latest = records.executions().latest(row.key());
      Executions.Outline outline = records.executions().outline(row.key(), latest);
      OrchestrationIdentity name = records.history().recorded(row.key(), latest);
      return new Subject(
          row.withExecution(latest, records.history().tail(row.key(), latest)),
          new Face(name, outline.pin(), face.hasValues()),
          delivery);
    }

    private RawTurn read(Subject subject) throws SQLException {
      InstanceRow row = subject.row();
      ExecutionKey execution =
          new ExecutionKey(row.id(), row.isKnown() ? row.execution() : ExecutionKey.FIRST);
      List<StoredMessage> messages = subject.messages();
      long after = row.isKnown() && !begins(messages) ? kept(row, execution) : 0;
      Batch batch = batch(row, subject.delivery());
      return new RawTurn(
          new RawTurn.Lock(tables.tokens().forTurn(batch), attempts(row.lock(), messages)),
          execution,
          identity(subject),
          after,
          load(subject, after),
          messages);
    }

    /** One instance that cannot be loaded keeps no other from being fetched. */
    private RawTurn.Stored load(Subject subject, long after) {
      try {
        return new RawTurn.Stored(
            events(subject.row(), after), after == 0 ? values(subject) : Map.of(), null);
      } catch (SQLException | OutOfMemoryError failure) {
        return RawTurn.Stored.failed(failure);
      }
    }

    private Batch batch(InstanceRow row, Messages.Delivery delivery) {
      Batch.Part part = delivery.isWhole() ? null : Batch.Part.of(delivery.batch());
      return new Batch(row.key(), tables.tx().now(), delivery.largest(), part);
    }

    /** Whether an execution may begin with the batch; it needs everything then. */
    private static boolean begins(List<StoredMessage> messages) {
      return messages.stream().anyMatch(message -> message.kind().isStart());
    }

    /** The caller's newest event, if it is one of this very instance and not of a namesake's. */
    private long kept(InstanceRow row, ExecutionKey execution) {
      CachedHistory.Tip tip = request.cached().tip(execution);
      if (tip == null || !Tokens.isOf(tip.commitToken(), row.key())) {
        return 0;
      }
      return tip.lastEventId() <= row.lastEvent() ? Math.max(0, tip.lastEventId()) : 0;
    }

    private List<StoredEvent> events(InstanceRow row, long after) throws SQLException {
      return row.lastEvent() <= after
          ? List.of()
          : tables.records().history().after(row.key(), row.execution(), after);
    }

    private Map<String, KvEntry> values(Subject subject) throws SQLException {
      return subject.face().hasValues()
          ? tables.records().values().snapshot(subject.row().key())
          : Map.of();
    }

    /** Name and version as recorded, else as the start says, wherever it stands in the batch. */
    private static OrchestrationIdentity identity(Subject subject) {
      OrchestrationIdentity recorded = subject.face().orchestration();
      StoredMessage.Announced start = subject.announced(MessageKind::isStart);
      if (recorded != null && !(subject.row().awaitsStart() && start != null)) {
        return recorded;
      }
      if (start == null) {
        return new OrchestrationIdentity(UNKNOWN, UNKNOWN);
      }
      String version = start.version();
      return new OrchestrationIdentity(start.name(), version == null ? UNKNOWN : version);
    }

    private boolean isAdmitted(Subject subject) {
      DispatcherCapabilityFilter filter = request.filter();
      if (filter == null) {
        return true;
      }
      return filter.admitsPin(ExecutionPin.ofStored(subject.face().pin()))
          && (filter.handlers() == null || hasHandler(filter, subject));
    }

    /**
     * A new execution runs what its start asks for, a recorded one what is recorded. What comes for
     * one that has ended needs no code. What cannot be told passes: somebody has to fetch it and
     * give it up.
     */
    private static boolean hasHandler(DispatcherCapabilityFilter filter, Subject subject) {
      StoredMessage.Announced next = subject.announced(kind -> kind == MessageKind.CONTINUE);
      if (next != null) {
        return filter.admitsHandler(next.name(), next.version());
      }
      if (subject.row().hasEnded()) {
        return true;
      }
      OrchestrationIdentity recorded = subject.face().orchestration();
      StoredMessage.Announced start = subject.announced(kind -> kind == MessageKind.START);
      if (recorded != null && !(subject.row().awaitsStart() && start != null)) {
        return filter.admitsHandler(recorded.name(), recorded.version());
      }
      return start == null || filter.admitsHandler(start.name(), start.version());
    }
  }

  /** The largest attempt count of the batch, this fetch included. */
  private static int attempts(InstanceLock previous, List<StoredMessage> messages) {
    Batch counted = previous.batch();
    int most = 0;
    for (StoredMessage message : messages) {
      boolean again = counted != null && counted.holds(message.kind(), message.place());
      most = Math.max(most, message.attempts() + (again ? 1 : 0));
    }
    return most + 1;
  }
}
