package io.duroxide.client;

import io.duroxide.api.EventQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages that an instance is started with: {@code FirstMail.to(ORDERS, List.of(one, two))}.
 *
 * @param letters in the order in which they are read
 */
public record FirstMail(List<Letter<?>> letters) {
  public FirstMail {
    letters = List.copyOf(letters);
  }

  /** One message and its mailbox. */
  public record Letter<T>(EventQueue<T> queue, T message) {}

  /** Messages for one mailbox. */
  public static <T> FirstMail to(EventQueue<T> queue, List<T> messages) {
    return new FirstMail(List.of()).and(queue, messages);
  }

  /** More of them, for the same or another mailbox. */
  public <T> FirstMail and(EventQueue<T> queue, List<T> messages) {
    List<Letter<?>> all = new ArrayList<>(letters);
    messages.forEach(message -> all.add(new Letter<>(queue, message)));
    return new FirstMail(all);
  }
}
