package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How nodes hear of each other's work, if they do. Thread-safe. */
final class Channel {
  private static final Duration FALLBACK_WHEN_DEAF = Duration.ofSeconds(1);

  private @Nullable Herald herald;
  private @Nullable Listener listener;

  /** Connects this node with the others; without this, it hears nothing and tells nothing. */
  void open(Herald newHerald, Listener newListener) {
    herald = newHerald;
    listener = newListener;
  }

  /** A fetch is about to wait. */
  void awaited() {
    if (listener != null) {
      listener.begin();
    }
  }

  /** What this node has committed can be fetched by anyone. */
  void committed(boolean turns, boolean work) {
    if (herald == null || listener == null || !(turns || work) || !listener.hasPeers()) {
      return;
    }
    if (turns) {
      herald.tell(Herald.News.TURNS);
    }
    if (work) {
      herald.tell(Herald.News.WORK);
    }
  }

  /** How long a waiting fetch may go without looking by itself. */
  Duration fallback() {
    return listener == null ? FALLBACK_WHEN_DEAF : listener.fallback();
  }

  /** Whether this node hears what it tells itself. */
  boolean hears() {
    return listener != null && listener.hears();
  }

  /** The server's number for the connection that listens; 0 if there is none. */
  int backend() throws SQLException {
    return listener == null ? 0 : listener.backend();
  }

  void close() {
    if (listener != null) {
      listener.close();
    }
    if (herald != null) {
      herald.close();
    }
  }
}
