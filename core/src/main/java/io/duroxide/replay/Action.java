package io.duroxide.replay;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Retention;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What orchestration code asked for; new ones become events, replayed ones are checked. */
public sealed interface Action {

  record CallActivity(String name, String input, ActivityRouting routing) implements Action {}

  record CreateTimer(Instant fireAt) implements Action {}

  record WaitExternal(String name) implements Action {}

  record DequeueEvent(String name) implements Action {}

  /**
   * A child whose result is awaited.
   *
   * @param instance the explicit id; null for a generated one
   */
  record StartSubOrchestration(
      String name, String input, @Nullable String version, @Nullable String instance)
      implements Action {}

  record StartOrchestrationDetached(
      String name, String input, @Nullable String version, String instance) implements Action {}

  record PruneHistory(Retention retention) implements Action {}

  record UpdateCustomStatus(@Nullable String status) implements Action {}

  record SetKeyValue(String key, String value, Instant stamp) implements Action {}

  record ClearKeyValue(String key) implements Action {}

  record ClearKeyValues() implements Action {}
}
