package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.MessageBatch;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Visible messages of one instance, to be delivered together.
 *
 * @param messages in enqueue order
 */
record Batch(List<Message> messages) {
  static final Batch EMPTY = new Batch(List.of());

  static Batch of(Stream<Message> visible) {
    return new Batch(visible.sorted(Comparator.comparingLong(Message::seq)).toList());
  }

  /** The first message of a kind that can be decoded. */
  <T extends WorkItem> Optional<T> first(Class<T> kind) {
    return messages.stream()
        .filter(Batch::isReadable)
        .map(Message::item)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst();
  }

  /** The largest attempt count among them. */
  int attempts() {
    return messages.stream().mapToInt(Message::attempts).max().orElse(0);
  }

  MessageBatch decoded() {
    List<WorkItem> items =
        messages.stream().filter(Batch::isReadable).<WorkItem>map(Message::item).toList();
    String error =
        messages.stream()
            .filter(message -> !isReadable(message))
            .map(message -> "message " + message.seq() + ": " + message.damage())
            .collect(Collectors.joining("; "));
    return new MessageBatch(items, error.isEmpty() ? null : error);
  }

  private static boolean isReadable(Message message) {
    return message.damage() == null;
  }
}
