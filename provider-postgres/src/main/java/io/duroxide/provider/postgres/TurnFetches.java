package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.DeliveryOrder;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.StoredText;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fetches of instances that ask for the same. */
final class TurnFetches implements Batch {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final String SEPARATOR = StoredText.ESCAPE + "/";

  private static final int SUMMARY = 0;
  private static final int INSTANCE = 1;
  private static final int MESSAGE = 2;
  private static final int EVENT = 3;
  private static final int VALUE = 4;
  private static final int DROPPED = 5;

  private final Node node;
  private final StoreClock clock;
  private final FetchTurns.Shape shape;
  private final List<FetchTurns> commands;
  private final List<UUID> tokens;
  private long found;
  private boolean again;

  TurnFetches(Node node, List<FetchTurns> commands) {
    this.node = node;
    this.clock = node.clock();
    this.shape = commands.getFirst().shape();
    this.commands = commands;
    int wanted = commands.stream().mapToInt(FetchTurns::max).sum();
    this.tokens = Stream.generate(node.tokens()::secret).limit(wanted).toList();
  }

  private static final String FETCH =
      """
      SELECT * FROM @.fetch_turns(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
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
    DispatcherCapabilityFilter filter = shape.filter();
    List<SemverRange> ranges = filter == null ? List.of() : filter.supported();
    HandlerFilter handlers = filter == null ? null : filter.handlers();
    to.number(clock.given());
    to.uuids(tokens, token -> token);
    to.number(shape.lock());
    to.number(shape.keeps() ? node.id() : 0L);
    to.texts(ranges, range -> StoredPins.write(range.min()));
    to.texts(ranges, range -> StoredPins.write(range.max()));
    bindHandlers(to, handlers);
    to.flag(shape.holds());
    to.flag(shape.asks());
    to.flag(again);
  }

  /** No handler at all is not the same as any. */
  private static void bindHandlers(Binder to, @Nullable HandlerFilter handlers)
      throws SQLException {
    if (handlers == null) {
      to.texts(List.<String>of(), name -> name);
      to.texts(List.<String>of(), name -> name);
      return;
    }
    List<String> names = new ArrayList<>(handlers.versions().keySet());
    List<String> pairs = new ArrayList<>();
    for (Map.Entry<String, Set<String>> handler : handlers.versions().entrySet()) {
      String name = StoredText.escaped(handler.getKey());
      handler
          .getValue()
          .forEach(version -> pairs.add(name + SEPARATOR + StoredText.escaped(version)));
    }
    to.someTexts(names.stream().map(StoredText::escaped).toList());
    to.someTexts(pairs);
  }

  /** A locked instance whose parts come row by row. */
  private static final class Draft {
    final Tokens.Turn lock;
    final ExecutionKey execution;
    final long lastEvent;
    final boolean complete;
    final @Nullable OrchestrationIdentity recorded;
    final Array batch;
    final List<RawTurn.Message> messages = new ArrayList<>();
    final List<StoredEvent> events = new ArrayList<>();
    final Map<String, KvEntry> values = new LinkedHashMap<>();
    @Nullable Throwable failure;

    Draft(ResultSet row) throws SQLException {
      String id = StoredText.unescaped(row.getString("id"));
      String name = StoredText.read(row.getString("name"));
      String version = StoredText.read(row.getString("version"));
      lock = new Tokens.Turn(row.getLong("key"), row.getObject("token", UUID.class), id);
      execution = new ExecutionKey(id, Math.max(ExecutionKey.FIRST, row.getLong("execution")));
      lastEvent = row.getLong("event");
      complete = row.getBoolean("whole");
      recorded = name == null || version == null ? null : new OrchestrationIdentity(name, version);
      batch = row.getArray("batch");
    }

    private RawTurn.Past past() {
      return failure == null ? new RawTurn.Past(0, events, values) : RawTurn.Past.failed(failure);
    }

    RawTurn finished() throws SQLException {
      Long[] belonging = (Long[]) batch.getArray();
      if (messages.size() != belonging.length) {
        Set<Long> given = Set.of(belonging);
        messages.removeIf(message -> !given.contains(message.seq()));
      }
      RawTurn.Past past = complete ? past() : null;
      return new RawTurn(
          lock,
          execution,
          lastEvent,
          recorded,
          DeliveryOrder.of(messages, RawTurn.Message::deliveryPlace),
          past);
    }
  }

  /** Reads an event or a value; one instance that does not fit into memory spoils no other. */
  private static void readPast(ResultSet row, Draft draft, int part) throws SQLException {
    if (draft.failure != null) {
      return;
    }
    try {
      if (part == EVENT) {
        draft.events.add(new StoredEvent(row.getLong("event"), row.getString("payload")));
      } else {
        draft.values.put(
            StoredText.unescaped(row.getString("name")),
            new KvEntry(
                StoredText.unescaped(row.getString("payload")),
                Instant.ofEpochMilli(row.getLong("at"))));
      }
    } catch (OutOfMemoryError tooLarge) {
      draft.failure = tooLarge;
      draft.events.clear();
      draft.values.clear();
    }
  }

  @Override
  public void read(ResultSet rows) throws SQLException {
    Map<Long, Draft> drafts = new LinkedHashMap<>();
    boolean contended = false;
    boolean waits = false;
    long now = 0;
    long next = Millis.NEVER;
    while (rows.next()) {
      switch (rows.getInt("part")) {
        case SUMMARY -> {
          contended = rows.getBoolean("contended");
          now = rows.getLong("now");
          long change = rows.getLong("next");
          next = rows.wasNull() ? Millis.NEVER : change;
          waits = rows.getBoolean("waits");
        }
        case DROPPED ->
            noteDropped(StoredText.unescaped(rows.getString("id")), rows.getLong("event"));
        default -> readPart(rows, drafts);
      }
    }
    clock.heard(now);
    found = drafts.size();
    List<RawTurn> turns = new ArrayList<>();
    for (Draft draft : drafts.values()) {
      turns.add(draft.finished());
    }
    boolean all = turns.size() < tokens.size() && !contended && !waits;
    share(turns, new Look<>(List.of(), contended, now, next, all));
  }

  private static void readPart(ResultSet row, Map<Long, Draft> drafts) throws SQLException {
    long key = row.getLong("key");
    int part = row.getInt("part");
    if (part == INSTANCE) {
      drafts.put(key, new Draft(row));
      return;
    }
    Draft draft = drafts.get(key);
    if (draft == null) {
      throw new IllegalStateException("a part of an instance that was not locked: " + key);
    }
    switch (part) {
      case MESSAGE ->
          draft.messages.add(
              new RawTurn.Message(
                  row.getLong("event"),
                  row.getInt("kind"),
                  row.getInt("attempts"),
                  row.getLong("at"),
                  row.getString("payload"),
                  StoredText.read(row.getString("name")),
                  StoredText.read(row.getString("version"))));
      case EVENT, VALUE -> readPast(row, draft, part);
      default -> throw new IllegalStateException("a fetch returned a part " + part);
    }
  }

  /** Hands out what was found: each command gets up to what it asked for, in their order. */
  private void share(List<RawTurn> turns, Look<RawTurn> look) {
    int from = 0;
    for (FetchTurns command : commands) {
      int to = Math.min(turns.size(), from + command.max());
      command.succeed(look.with(List.copyOf(turns.subList(from, to))));
      from = to;
    }
  }

  private void noteDropped(String instance, long count) {
    node.dropped().addAndGet(count);
    LOG.atWarn()
        .addKeyValue("instance_id", instance)
        .addKeyValue("messages", count)
        .log("dropped queue messages for an unknown instance");
  }

  @Override
  public boolean onlyMovesLocks() {
    return true;
  }

  @Override
  public void announce(Wakes turns, Wakes work) {
    if (found > 0) {
      turns.later(clock.millis() + shape.lock());
    }
  }
}
