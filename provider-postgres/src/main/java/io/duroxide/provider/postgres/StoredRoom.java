package io.duroxide.provider.postgres;

import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.QueueRoom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The row {@code queue_room}.
 *
 * @param queue null for all queues that have no row
 */
record StoredRoom(@Nullable String queue, QueueRoom room) {

  /** The rules as rows, equal ones for equal rules; none for those of a first execution. */
  static List<StoredRoom> of(MailboxRules rules) {
    if (rules.equals(MailboxRules.FIRST)) {
      return List.of();
    }
    List<StoredRoom> rows = new ArrayList<>();
    rows.add(new StoredRoom(null, rules.others()));
    new TreeMap<>(rules.rooms()).forEach((queue, room) -> rows.add(new StoredRoom(queue, room)));
    return rows;
  }

  static MailboxRules rules(List<StoredRoom> rows) {
    QueueRoom others = MailboxRules.FIRST.others();
    Map<String, QueueRoom> rooms = new HashMap<>();
    for (StoredRoom row : rows) {
      if (row.queue() == null) {
        others = row.room();
      } else {
        rooms.put(row.queue(), row.room());
      }
    }
    return new MailboxRules(others, rooms);
  }

  static void write(RowText row, StoredRoom one) {
    row.text("queue", one.queue())
        .integer("messages", one.room().messages())
        .number("bytes", one.room().bytes());
  }
}
