package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** STATUS: the custom status of an instance and its version. */
public abstract class CustomStatusTck extends LifecycleSteps {
  private static final EventKind RESET = new EventKind.CustomStatusUpdated(null);

  /** For subclasses. */
  protected CustomStatusTck() {}

  @Test
  @DisplayName("TCK-STATUS-01 the first status has version 1")
  void set() {
    create("x");
    change("x", status("progress"));
    shows("x", "progress", 1);
  }

  @Test
  @DisplayName("TCK-STATUS-02 a reset is a change too")
  void reset() {
    create("x");
    change("x", status("progress"));
    change("x", RESET);
    shows("x", null, 2);
  }

  @Test
  @DisplayName("TCK-STATUS-03 a commit without a status event changes nothing")
  void untouched() {
    create("x");
    change("x", status("progress"));
    change("x", new EventKind.ExternalEvent("signal", "poke"));
    shows("x", "progress", 1);
  }

  @Test
  @DisplayName("TCK-STATUS-04 every change raises the version by one")
  void versions() {
    create("x");
    change("x", status("one"));
    shows("x", "one", 1);
    change("x", status("two"));
    shows("x", "two", 2);
    change("x", RESET);
    shows("x", null, 3);
  }

  @Test
  @DisplayName("TCK-STATUS-05 whoever has seen the version gets nothing")
  void seen() {
    create("x");
    change("x", status("progress"));
    assertThat(provider.customStatus("x", 1)).isEmpty();
    assertThat(provider.customStatus("x", 0)).contains(new CustomStatus("progress", 1));
  }

  @Test
  @DisplayName("TCK-STATUS-06 an unknown instance has no status")
  void unknownInstance() {
    assertThat(provider.customStatus("nobody", 0)).isEmpty();
  }

  @Test
  @DisplayName("TCK-STATUS-07 a fresh instance has no status")
  void freshInstance() {
    create("x");
    assertThat(provider.customStatus("x", 0)).isEmpty();
  }

  @Test
  @DisplayName("TCK-STATUS-08 of several status events in one commit the last counts, once")
  void lastOfCommit() {
    create("x");
    change("x", status("one"), status("two"), status("three"));
    shows("x", "three", 1);
    change("x", status("four"), RESET);
    shows("x", null, 2);
  }

  @Test
  @DisplayName("TCK-STATUS-09 continue-as-new keeps status and version, also when it carries one")
  void continueAsNew() {
    create("x");
    change("x", status("progress"));
    endForContinue("x");
    enqueue(
        new WorkItem.ContinueAsNew(
            "x",
            Items.ORCHESTRATION,
            "{}",
            Items.VERSION,
            null,
            new Inheritance(List.of(), "carried", null),
            null));
    EventKind started =
        new EventKind.OrchestrationStarted(
            Items.ORCHESTRATION,
            Items.VERSION,
            "{}",
            null,
            new Inheritance(List.of(new CarriedEvent("mailbox", "hello")), "carried", null));
    ack(
        fetched("x"),
        TurnCommit.events(2, List.of(Events.of(new ExecutionKey("x", 2), 1, started)), identity()));
    shows("x", "progress", 1);
  }

  @Test
  @DisplayName("TCK-STATUS-10 the status of a finished instance can still be read")
  void finished() {
    create("x");
    change("x", status("almost"));
    complete("x");
    create("y");
    change("y", status("oh no"));
    fail("y");
    shows("x", "almost", 1);
    shows("y", "oh no", 1);
  }

  @Test
  @DisplayName("TCK-STATUS-11 256 KiB come back intact, and an empty text is not a reset")
  void sizes() {
    String large = "0123456789abcdef".repeat(16 * 1024);
    create("x");
    change("x", status(large));
    shows("x", large, 1);
    change("x", status(""));
    shows("x", "", 2);
  }

  @Test
  @DisplayName("TCK-STATUS-12 a failed commit leaves the status as it was")
  void failedCommit() {
    create("x");
    change("x", status("before"));
    poke("x");
    LockedOrchestration locked = fetched("x");
    TurnCommit doomed =
        TurnCommit.events(
            1,
            List.of(
                Events.of(locked.item().execution(), 9, status("after")),
                Events.started(locked.item().execution())),
            identity());
    fails(Kind.DUPLICATE_EVENT, () -> ack(locked, doomed));
    shows("x", "before", 1);
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);
    shows("x", "before", 1);
  }

  @Test
  @DisplayName("TCK-STATUS-13 the commit that creates the instance can set the status")
  void creatingCommit() {
    ExecutionKey execution = new ExecutionKey("x", 1);
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
            1,
            List.of(Events.started(execution), Events.of(execution, 2, status("born"))),
            identity()));
    shows("x", "born", 1);
  }

  @Test
  @DisplayName("TCK-STATUS-14 a last seen version above the current one yields nothing")
  void seenFuture() {
    create("x");
    change("x", status("progress"));
    assertThat(provider.customStatus("x", 2)).isEmpty();
    assertThat(provider.customStatus("x", Long.MAX_VALUE)).isEmpty();
  }

  private static EventKind status(String text) {
    return new EventKind.CustomStatusUpdated(text);
  }

  private void shows(String instance, @Nullable String text, long version) {
    CustomStatus expected = new CustomStatus(text, version);
    assertThat(provider.customStatus(instance, 0)).contains(expected);
    assertThat(present(provider.status(instance)).customStatus()).isEqualTo(expected);
  }
}
