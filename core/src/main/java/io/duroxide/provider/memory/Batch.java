package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.DeliveryOrder;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.MessageBatch;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Visible messages of one instance, to be delivered together.
 *
 * @param messages in the order of delivery
 */
record Batch(List<Message> messages) {
  static final Batch EMPTY = new Batch(List.of());

  /** Those that the mailboxes have room for. */
  static Batch of(Stream<Message> visible, MailboxRules mailboxes) {
    List<Message> ordered = DeliveryOrder.of(visible.toList(), Message::deliveryPlace);
    return new Batch(mailboxes.within(ordered, Message::queue, Message::bytes));
  }

  /** What of them one fetch delivers. */
  Batch bounded() {
    return new Batch(
        BatchBound.cut(
            messages, Message::bytes, message -> BatchBound.isAlwaysDelivered(message.item())));
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

  long bytes() {
    return messages.stream().mapToLong(Message::bytes).sum();
  }

  /** Whether an execution may begin with it: a start or a continuation is among them. */
  boolean begins() {
    return messages.stream().anyMatch(message -> message.item() instanceof WorkItem.StartLike);
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
