package io.duroxide.provider.postgres;

import java.time.Duration;
import java.util.List;

/** Messages from outside a turn; all or none. */
final class Send extends Command<Boolean> {
  private final List<NewMessage> messages;
  private final long delay;

  Send(String operation, List<NewMessage> messages, Duration delay) {
    super(operation);
    this.messages = messages;
    this.delay = Millis.of(delay);
  }

  List<NewMessage> messages() {
    return messages;
  }

  long delay() {
    return delay;
  }

  /** Whether it begins an instance at once, and does nothing else. */
  boolean isPlainStart() {
    return delay <= 0
        && messages.size() == 1
        && messages.getFirst().kind() == NewMessage.START
        && messages.getFirst().parent() == null;
  }
}
