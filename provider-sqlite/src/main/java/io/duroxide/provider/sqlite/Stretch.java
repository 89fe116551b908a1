package io.duroxide.provider.sqlite;

import java.util.ArrayList;
import java.util.List;

/**
 * Events of one execution that share a row: their ids have no gaps, and each of them is a line.
 * Encoded events have no line breaks; what has one nevertheless stands alone and is left as it is.
 *
 * @param first the smallest id
 * @param last the largest id
 */
record Stretch(long first, long last, String data) {
  /** So that whoever asks for a few events need not read thousands. */
  private static final int MOST_EVENTS = 32;

  private static final int ENOUGH_TEXT = 16 * 1024;

  /** As few as possible, in the given order; ids go up. */
  static List<Stretch> of(List<StoredEvent> events) {
    List<Stretch> stretches = new ArrayList<>();
    for (int from = 0; from < events.size(); ) {
      int to = end(events, from);
      stretches.add(joined(events.subList(from, to)));
      from = to;
    }
    return stretches;
  }

  long size() {
    return last - first + 1;
  }

  private static int end(List<StoredEvent> events, int from) {
    int text = events.get(from).data().length();
    int to = from + 1;
    while (to < events.size()
        && to - from < MOST_EVENTS
        && text < ENOUGH_TEXT
        && events.get(to).id() == events.get(to - 1).id() + 1
        && isLine(events.get(to - 1))
        && isLine(events.get(to))) {
      text += events.get(to).data().length();
      to++;
    }
    return to;
  }

  private static boolean isLine(StoredEvent event) {
    return event.data().indexOf('\n') < 0;
  }

  private static Stretch joined(List<StoredEvent> events) {
    StoredEvent first = events.getFirst();
    if (events.size() == 1) {
      return new Stretch(first.id(), first.id(), first.data());
    }
    StringBuilder lines = new StringBuilder(first.data());
    for (StoredEvent event : events.subList(1, events.size())) {
      lines.append('\n').append(event.data());
    }
    return new Stretch(first.id(), events.getLast().id(), lines.toString());
  }

  /** The events again; if lines of a damaged row are missing, none can be decoded. */
  List<StoredEvent> events() {
    if (first == last) {
      return List.of(new StoredEvent(first, data));
    }
    String[] lines = data.split("\n", -1);
    boolean isWhole = lines.length == size();
    List<StoredEvent> events = new ArrayList<>();
    for (long id = first; id <= last; id++) {
      events.add(
          new StoredEvent(id, isWhole ? lines[(int) (id - first)] : "lines are missing: " + data));
    }
    return events;
  }
}
