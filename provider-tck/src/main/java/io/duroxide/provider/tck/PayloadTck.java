package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TurnCommit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: payloads and ids come back as they were given (1, 11). */
public abstract class PayloadTck extends ProviderTck {
  private static final List<String> PAYLOADS =
      List.of(
          "",
          "{\"quoted\": \"\\\"it's\\\" 100% \\\\ done; -- /* */ ${x} ?\"}",
          "\"\uD83D\uDE80 caf\u00E9 \u65E5\u672C\u8A9E\"",
          "\"\u05E9\u05DC\u05D5\u05DD \u202Eabc\u202C\"",
          "\"before\\u0000after\"",
          "{ \"z\" : 1,\n\t\"a\":  [ 2.50 , 1e3 ] }\r\n ",
          "\"" + "0123456789abcdef".repeat(65_536) + "\"");

  /** What databases do not take as it is: halves of pairs, and the two characters they misread. */
  private static final List<String> AWKWARD =
      List.of(
          "\uD83D",
          "\uDE00",
          "a\uD83Db\uDE00c",
          "\uDE00\uD83D",
          "\uD83D\uD83D\uDE00\uDE00",
          "\u0000",
          "a\u0000b\u0000",
          "\u001A",
          "\u001A0\u001A1\u001Aud83d\u001A\u0000\uD83D");

  /** For subclasses. */
  protected PayloadTck() {}

  @Test
  @DisplayName("TCK-INST-62 any text as payload comes back equal from every read")
  void awkwardPayloads() {
    for (int i = 0; i < AWKWARD.size(); i++) {
      String x = "x-" + i;
      String payload = AWKWARD.get(i);
      throughFirstTurn(x, payload);
      throughWorker(x, payload);
      throughLastTurn(x, payload);
      assertThat(provider.kvAllValues(x)).containsExactly(Map.entry("key", payload));
      assertThat(provider.status(x).orElseThrow().customStatus().status()).isEqualTo(payload);
      poke(x);
      LockedOrchestration locked = fetched(x);
      assertThat(values(locked).values()).extracting(KvEntry::value).containsExactly(payload);
      drain(locked);
      provider
          .management()
          .ifPresent(admin -> assertThat(admin.instanceInfo(x).output()).isEqualTo(payload));
    }
  }

  @Test
  @DisplayName("TCK-QUEUE-24 every payload comes back byte for byte on every path")
  void payloads() {
    for (int i = 0; i < PAYLOADS.size(); i++) {
      String x = "x-" + i;
      throughFirstTurn(x, PAYLOADS.get(i));
      throughWorker(x, PAYLOADS.get(i));
      throughLastTurn(x, PAYLOADS.get(i));
    }
  }

  /** Start message, started event and messages sent by an ack. */
  private void throughFirstTurn(String x, String payload) {
    WorkItem start =
        new WorkItem.StartOrchestration(x, Items.ORCHESTRATION, payload, Items.VERSION, null);
    enqueue(start);
    LockedOrchestration locked = fetched(x);
    assertThat(messages(locked)).containsExactly(start);

    Event started =
        Events.of(
            first(x),
            1,
            new EventKind.OrchestrationStarted(
                Items.ORCHESTRATION, Items.VERSION, payload, null, Inheritance.NOTHING));
    WorkItem raised = Items.raised(x, payload);
    ack(
        locked,
        TurnCommit.events(1, List.of(started), identity())
            .withOrchestratorItems(List.of(raised))
            .withWorkerItems(List.of(activity(x, payload))));

    assertThat(provider.read(x)).containsExactly(started);
    LockedOrchestration next = fetched(x);
    assertThat(history(next)).containsExactly(started);
    assertThat(messages(next)).containsExactly(raised);
    drain(next);
  }

  /** An activity's input and its outcome. */
  private void throughWorker(String x, String payload) {
    LockedWork byAck = work(2);
    assertThat(byAck.item()).isEqualTo(activity(x, payload));
    WorkItem outcome = new WorkItem.ActivityCompleted(x, 1, 2, payload);
    provider.ackWorkItem(byAck.lockToken(), outcome);
    LockedOrchestration locked = fetched(x);
    assertThat(messages(locked)).containsExactly(outcome);
    drain(locked);

    provider.enqueueForWorker(activity(x, payload));
    LockedWork direct = work(2);
    assertThat(direct.item()).isEqualTo(activity(x, payload));
    provider.ackWorkItem(direct.lockToken(), null);
  }

  /** A value, a custom status and the output. */
  private void throughLastTurn(String x, String payload) {
    List<Event> delta =
        List.of(
            Events.of(first(x), 2, new EventKind.KeyValueSet("key", payload, Events.STAMP.at())),
            Events.of(first(x), 3, new EventKind.CustomStatusUpdated(payload)),
            Events.of(first(x), 4, new EventKind.OrchestrationCompleted(payload)));
    enqueue(Items.message(x, payload));
    LockedOrchestration locked = fetched(x);
    assertThat(messages(locked)).containsExactly(Items.message(x, payload));
    ack(
        locked,
        TurnCommit.events(
            1, delta, ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, payload)));

    assertThat(provider.read(x).subList(1, 4)).isEqualTo(delta);
    assertThat(provider.kvValue(x, "key")).contains(payload);
    assertThat(provider.customStatus(x, 0).orElseThrow().status()).isEqualTo(payload);
    assertThat(provider.status(x).orElseThrow().output()).isEqualTo(payload);
    provider
        .management()
        .ifPresent(admin -> assertThat(admin.executionInfo(first(x)).output()).isEqualTo(payload));
  }

  private static WorkItem activity(String x, String payload) {
    return new WorkItem.ActivityExecute(
        new ActivityKey(x, 1, 2),
        "TestActivity",
        payload,
        ActivityRouting.ANYWHERE,
        new ActivityOrigin(Items.ORCHESTRATION, Items.VERSION));
  }

  @Test
  @DisplayName("TCK-QUEUE-25 ids that look alike are different instances")
  void lookAlikes() {
    List<String> ids =
        List.of("order", "Order", "order ", " order", "caf\u00E9", "cafe\u0301", "\uFB01x", "fix");
    ids.forEach(this::create);
    for (String x : ids) {
      turn(
          x,
          new EventKind.KeyValueSet("owner", "[" + x + "]", Events.STAMP.at()),
          ExecutionMetadata.NONE);
    }
    for (String x : ids) {
      act(x, 2);
      poke(x);
    }
    for (String x : ids) {
      assertThat(provider.read(x)).hasSize(2).first().isEqualTo(Events.started(first(x)));
      assertThat(provider.kvValue(x, "owner")).contains("[" + x + "]");
      assertThat(work(2).key()).isEqualTo(new ActivityKey(x, 1, 2));
      LockedOrchestration locked = fetched(x);
      assertThat(messages(locked)).containsExactly(Items.raised(x, "poke"));
      assertThat(history(locked)).isEqualTo(provider.read(x));
    }
    provider
        .management()
        .ifPresent(
            admin -> assertThat(admin.listInstances()).containsExactlyInAnyOrderElementsOf(ids));
  }
}
