package io.duroxide.provider;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a commit says about the mailboxes of its instance.
 *
 * <p>An execution has a window of unread messages for each queue. A commit tells how much room is
 * left; what is beyond stays in the store, makes nobody ready and is delivered once a later commit
 * has room for it. Before the first commit of an instance its rules are {@link #FIRST}.
 *
 * @param others the room of every queue that is not named
 * @param rooms the room of queues by name, where it is another one
 */
public record MailboxRules(QueueRoom others, Map<String, QueueRoom> rooms) {
  /** How many messages of a queue a first execution has at most before it has read any. */
  public static final int FIRST_MESSAGES = 64;

  /** No queue has a bound. */
  public static final MailboxRules OPEN = new MailboxRules(QueueRoom.ANY, Map.of());

  /** The rules of an instance that no commit has told of. */
  public static final MailboxRules FIRST = new MailboxRules(QueueRoom.of(FIRST_MESSAGES), Map.of());

  public MailboxRules {
    Objects.requireNonNull(others, "others");
    TreeMap<String, QueueRoom> different = new TreeMap<>(rooms);
    QueueRoom usual = others;
    different.values().removeIf(usual::equals);
    rooms = Map.copyOf(different);
  }

  /** The same room for every queue. */
  public static MailboxRules ofEach(QueueRoom room) {
    return new MailboxRules(room, Map.of());
  }

  /** The same with another room for one queue. */
  public MailboxRules with(String queue, QueueRoom room) {
    Map<String, QueueRoom> changed = new HashMap<>(rooms);
    changed.put(queue, room);
    return new MailboxRules(others, changed);
  }

  public QueueRoom room(String queue) {
    return rooms.getOrDefault(queue, others);
  }

  public boolean isClosed(String queue) {
    return room(queue).isClosed();
  }

  /** Whether a queue may have a bound. */
  public boolean mayHoldBack() {
    return !equals(OPEN);
  }

  /** Whether a queue may be closed. */
  public boolean mayClose() {
    return others.isClosed() || rooms.values().stream().anyMatch(QueueRoom::isClosed);
  }

  /**
   * What of the visible messages there is room for.
   *
   * @param visible in the order of delivery
   * @param queueOf the queue of a message; null if it is for none
   * @param bytes the size of a message's stored text
   */
  public <T> List<T> within(
      List<T> visible, Function<? super T, @Nullable String> queueOf, ToLongFunction<T> bytes) {
    if (!mayHoldBack()) {
      return visible;
    }
    Map<String, Delivered> delivered = new HashMap<>();
    List<T> within = new ArrayList<>(visible.size());
    for (T message : visible) {
      String queue = queueOf.apply(message);
      if (queue == null
          || delivered
              .computeIfAbsent(queue, name -> new Delivered(room(name)))
              .takes(bytes.applyAsLong(message))) {
        within.add(message);
      }
    }
    return within.size() == visible.size() ? visible : within;
  }

  /** What is delivered of one queue; the first message without room ends it. */
  private static final class Delivered {
    private final QueueRoom room;
    private int count;
    private long sum;
    private boolean isFull;

    Delivered(QueueRoom room) {
      this.room = room;
    }

    boolean takes(long bytes) {
      sum += bytes;
      isFull = isFull || !room.takes(count, sum);
      count++;
      return !isFull;
    }
  }

  // The stored form: the numbers of the usual room, then of each named one, with the length of its
  // name and the name.

  /** A text from which {@link #ofStored} makes the same rules; equal rules have equal texts. */
  public String stored() {
    StringBuilder text = new StringBuilder().append(others.messages()).append(' ');
    text.append(others.bytes()).append(' ');
    new TreeMap<>(rooms)
        .forEach((queue, room) ->
            text.append(room.messages())
                .append(' ')
                .append(room.bytes())
                .append(' ')
                .append(queue.length())
                .append(' ')
                .append(queue));
    return text.toString();
  }

  /**
   * The rules as they were stored; {@link #FIRST} if nothing was, or something that cannot be read:
   * a window decides when a message is delivered, never whether.
   */
  public static MailboxRules ofStored(@Nullable String stored) {
    if (stored == null) {
      return FIRST;
    }
    try {
      StoredRules in = new StoredRules(stored);
      QueueRoom others = in.room();
      Map<String, QueueRoom> rooms = new HashMap<>();
      while (!in.isAtEnd()) {
        QueueRoom room = in.room();
        rooms.put(in.name(), room);
      }
      return new MailboxRules(others, rooms);
    } catch (IllegalArgumentException | IndexOutOfBoundsException unreadable) {
      return FIRST;
    }
  }

  private static final class StoredRules {
    private final String text;
    private int at;

    StoredRules(String text) {
      this.text = text;
    }

    boolean isAtEnd() {
      return at >= text.length();
    }

    QueueRoom room() {
      return new QueueRoom(Math.toIntExact(number()), number());
    }

    String name() {
      int from = Math.toIntExact(number()) + at;
      String name = text.substring(at, from);
      at = from;
      return name;
    }

    private long number() {
      int end = text.indexOf(' ', at);
      long number = Long.parseLong(text.substring(at, end));
      at = end + 1;
      return number;
    }
  }
}
