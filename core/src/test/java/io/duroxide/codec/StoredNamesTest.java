package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.EventKind;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Stored type names")
class StoredNamesTest {
  private static final Map<Class<?>, String> OLDER_NAMES =
      Map.of(
          EventKind.QueueSubscribed.class, "ExternalSubscribedPersistent",
          EventKind.QueueEventDelivered.class, "ExternalEventPersistent",
          EventKind.QueueSubscriptionCancelled.class, "ExternalSubscribedPersistentCancelled");

  @Test
  @DisplayName("RE-252 a kind is stored under its own name, the three queue kinds under older ones")
  void events() {
    assertThat(GoldenEvents.ALL)
        .allSatisfy(
            event -> assertThat(EventCodec.encode(event)).startsWith(tag(event.kind().getClass())));
  }

  @Test
  @DisplayName("RE-252 a work item is stored under its own name")
  void workItems() {
    assertThat(GoldenWorkItems.ALL)
        .allSatisfy(
            item -> assertThat(WorkItemCodec.encode(item)).startsWith(tag(item.getClass())));
  }

  @Test
  @DisplayName("RE-252 a queue kind is not readable under the name of its class")
  void classNameIsNoStoredName() {
    var line = EventCodec.encode(GoldenEvents.event(2, new EventKind.QueueSubscribed("inbox")));
    var renamed = line.replace("ExternalSubscribedPersistent", "QueueSubscribed");
    assertThat(renamed).isNotEqualTo(line);
    assertThatThrownBy(() -> EventCodec.decode(renamed)).isInstanceOf(DecodeException.class);
  }

  private static String tag(Class<?> kind) {
    return "{\"type\":\"" + OLDER_NAMES.getOrDefault(kind, kind.getSimpleName()) + "\",";
  }
}
