package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * In which order the messages of a mailbox stood. If one sender sent them, each once, that is
 * known. Otherwise what the run read says it, and it must not contradict what was sent.
 */
final class MailOrder {
  private final List<Program.Mail> sent;
  private final Set<String> doubtful;
  private final @Nullable List<String> recorded;
  private final SortedMap<Integer, String> places = new TreeMap<>();

  private MailOrder(
      List<Program.Mail> sent, Set<String> doubtful, @Nullable List<String> recorded) {
    this.sent = sent;
    this.doubtful = doubtful;
    this.recorded = recorded;
  }

  /** The order in which they are sent. */
  static MailOrder asSent(List<Program.Mail> sent) {
    return new MailOrder(sent, Set.of(), null);
  }

  /**
   * The order that follows from what was read.
   *
   * @param recorded what was read, with a comma behind each
   */
  static MailOrder asRead(List<Program.Mail> sent, Set<String> doubtful, String recorded) {
    List<String> read = new ArrayList<>(List.of(recorded.split(",", -1)));
    read.removeLast();
    return new MailOrder(sent, doubtful, read);
  }

  /** How many there may have been. */
  int size() {
    return sent.size() + doubtful.size();
  }

  /** The message at this place, which is read now. */
  String read(int place) {
    if (recorded == null) {
      return sent.get(place).text();
    }
    if (recorded.size() <= places.size()) {
      throw new IllegalStateException("less was read than must be: " + recorded);
    }
    String text = recorded.get(places.size());
    places.put(place, text);
    return text;
  }

  /** Throws if there is no such order. */
  void check() {
    if (recorded == null) {
      return;
    }
    Map<String, Program.Mail> known = new HashMap<>();
    sent.forEach(mail -> known.put(mail.text(), mail));
    Map<Integer, Integer> latest = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (String text : places.values()) {
      Program.Mail mail = known.get(text);
      if (mail == null) {
        throw new IllegalStateException("'%s' was read and not sent: %s".formatted(text, places));
      }
      if (!seen.add(text)) {
        if (!doubtful.contains(text)) {
          throw new IllegalStateException("'%s' stands there twice: %s".formatted(text, places));
        }
        continue; // Sent again, perhaps with others that were sent together with it.
      }
      int number = sent.indexOf(mail);
      if (number < latest.getOrDefault(mail.sender(), -1)) {
        throw new IllegalStateException(
            "'%s' stands behind what was sent later: %s".formatted(text, places));
      }
      latest.put(mail.sender(), number);
    }
    checkSkipped(latest);
  }

  /** What was skipped stands at a place that was not read. */
  private void checkSkipped(Map<Integer, Integer> latest) {
    if (places.isEmpty()) {
      return;
    }
    long skipped = 0;
    for (int number = 0; number < sent.size(); number++) {
      Program.Mail mail = sent.get(number);
      if (number <= latest.getOrDefault(mail.sender(), -1) && !places.containsValue(mail.text())) {
        skipped++;
      }
    }
    if (skipped > places.lastKey() + 1 - places.size()) {
      throw new IllegalStateException("messages were left out: " + places);
    }
  }
}
