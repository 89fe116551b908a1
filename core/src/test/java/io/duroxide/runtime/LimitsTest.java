package io.duroxide.runtime;

import static io.duroxide.runtime.Turns.ORDER_7;
import static io.duroxide.runtime.Turns.go;
import static io.duroxide.runtime.Turns.linkTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Limits;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.TurnCommit;
import io.duroxide.replay.OrchestrationCode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
  private static final int STATUS = 262_144;
  private static final int TAG = 256;
  private static final int VALUE = 65_536;
  private static final int KEYS = 150;

  private static String text(int bytes) {
    return "x".repeat(bytes);
  }

  private static void setKeys(OrchestrationContext ctx, String prefix, int count) {
    for (int i = 0; i < count; i++) {
      ctx.kv().putText(prefix + i, "v");
    }
  }

  private static String outputOf(OrchestrationCode code) {
    return Turns.first(code).metadata().output();
  }

  private static void assertAccepted(TurnCommit commit) {
    assertThat(commit.metadata().status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(commit.metadata().output()).isEqualTo("done");
  }

  private static void assertRefused(TurnCommit commit, String message) {
    assertThat(commit.historyDelta().getLast().kind())
        .isEqualTo(
            new EventKind.OrchestrationFailed(
                new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, message)));
    assertThat(commit.metadata().status()).isEqualTo(ExecutionStatus.FAILED);
    assertThat(commit.metadata().output()).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(ints = {STATUS - 1, STATUS})
  @DisplayName("RE-237 a status below and at the limit is kept")
  void statusWithin(int bytes) {
    TurnCommit commit =
        Turns.first((ctx, in) -> {
          ctx.setCustomStatus(text(bytes));
          return "done";
        });

    assertAccepted(commit);
    assertThat(Turns.kinds(commit)).contains(new EventKind.CustomStatusUpdated(text(bytes)));
  }

  @Test
  @DisplayName("RE-237 a status one byte above the limit fails the orchestration")
  void statusAbove() {
    TurnCommit commit =
        Turns.first((ctx, in) -> {
          ctx.setCustomStatus(text(STATUS + 1));
          return "done";
        });

    assertRefused(commit, "Custom status size (262145 bytes) exceeds limit (262144 bytes)");
  }

  @Test
  @DisplayName("RE-237 bytes count, not characters")
  void bytesCount() {
    assertAccepted(
        Turns.first((ctx, in) -> {
          ctx.setCustomStatus("é".repeat(STATUS / 2));
          return "done";
        }));
    assertRefused(
        Turns.first((ctx, in) -> {
          ctx.setCustomStatus("é".repeat(STATUS / 2) + "x");
          return "done";
        }),
        "Custom status size (262145 bytes) exceeds limit (262144 bytes)");
  }

  @Test
  @DisplayName("RE-237 only the last status of the turn counts")
  void lastStatus() {
    assertAccepted(
        Turns.first((ctx, in) -> {
          ctx.setCustomStatus(text(STATUS + 1));
          ctx.setCustomStatus("short");
          return "done";
        }));
  }

  @ParameterizedTest
  @ValueSource(ints = {TAG - 1, TAG})
  @DisplayName("RE-237 a tag below and at the limit is kept")
  void tagWithin(int bytes) {
    assertAccepted(Turns.first((ctx, in) -> tagged(ctx, bytes)));
  }

  private static String tagged(OrchestrationContext ctx, int bytes) {
    ctx.callActivity("Small", "", ActivityOptions.options().tag("gpu"));
    ctx.callActivity("Render", "", ActivityOptions.options().tag(text(bytes)));
    return "done";
  }

  @Test
  @DisplayName("RE-237 any tag one byte above the limit fails the orchestration")
  void tagAbove() {
    assertRefused(
        Turns.first((ctx, in) -> tagged(ctx, TAG + 1)),
        "Activity 'Render' tag size (257 bytes) exceeds limit (256 bytes)");
  }

  @ParameterizedTest
  @ValueSource(ints = {VALUE - 1, VALUE})
  @DisplayName("RE-237 a value below and at the limit is kept")
  void valueWithin(int bytes) {
    assertAccepted(
        Turns.first((ctx, in) -> {
          ctx.kv().putText("k", text(bytes));
          return "done";
        }));
  }

  @Test
  @DisplayName("RE-237 any value one byte above the limit fails, also if it was replaced")
  void valueAbove() {
    assertRefused(
        Turns.first((ctx, in) -> {
          ctx.kv().putText("k", text(VALUE + 1));
          ctx.kv().putText("k", "short");
          return "done";
        }),
        "KV value for key 'k' (65537 bytes) exceeds limit (65536 bytes)");
  }

  @ParameterizedTest
  @ValueSource(ints = {KEYS - 1, KEYS})
  @DisplayName("RE-237 as many keys as the limit, or one fewer, are kept")
  void keysWithin(int count) {
    assertAccepted(
        Turns.first((ctx, in) -> {
          setKeys(ctx, "k", count);
          return "done";
        }));
  }

  @Test
  @DisplayName("RE-237 one key more than the limit fails the orchestration")
  void keysAbove() {
    assertRefused(
        Turns.first((ctx, in) -> {
          setKeys(ctx, "k", KEYS + 1);
          return "done";
        }),
        "KV key count (151) exceeds limit (150)");
  }

  @Test
  @DisplayName("RE-237 only keys that are alive after the turn count")
  void clearedKeys() {
    assertAccepted(
        Turns.first((ctx, in) -> {
          setKeys(ctx, "k", KEYS + 1);
          ctx.kv().clear("k0");
          return "done";
        }));
  }

  @Test
  @DisplayName("RE-237 keys of earlier turns count")
  void keysOfEarlierTurns() {
    Turns turns =
        Turns.of((ctx, in) -> {
          setKeys(ctx, "early", KEYS);
          ctx.waitForEvent("go").await();
          ctx.kv().putText("early0", "again");
          ctx.waitForEvent("go").await();
          ctx.kv().putText("one more", "v");
          return "done";
        });

    assertThat(turns.turn().metadata().status()).isNull();
    assertThat(turns.turn(go()).metadata().status()).isNull();
    assertRefused(turns.turn(go()), "KV key count (151) exceeds limit (150)");
  }

  @Test
  @DisplayName("RE-237 keys of earlier executions count")
  void keysOfEarlierExecutions() {
    OrchestrationCode oneMore =
        (ctx, in) -> {
          ctx.kv().putText("one more", "v");
          return "done";
        };

    assertAccepted(Turns.of(oneMore).inheritedKeys(KEYS - 1).turn());
    assertRefused(
        Turns.of(oneMore).inheritedKeys(KEYS).turn(), "KV key count (151) exceeds limit (150)");
  }

  @Test
  @DisplayName("RE-237 status is checked before tags, tags before values, values before keys")
  void order() {
    assertThat(outputOf((ctx, in) -> violate(ctx, 4))).startsWith("Custom status size");
    assertThat(outputOf((ctx, in) -> violate(ctx, 3))).startsWith("Activity 'Render' tag size");
    assertThat(outputOf((ctx, in) -> violate(ctx, 2))).startsWith("KV value for key");
    assertThat(outputOf((ctx, in) -> violate(ctx, 1))).startsWith("KV key count");
  }

  /** Breaks the last limits to be checked, in the opposite order. */
  private static String violate(OrchestrationContext ctx, int limits) {
    setKeys(ctx, "k", KEYS + 1);
    if (limits > 1) {
      ctx.kv().putText("k0", text(VALUE + 1));
    }
    if (limits > 2) {
      tagged(ctx, TAG + 1);
    }
    if (limits > 3) {
      ctx.setCustomStatus(text(STATUS + 1));
    }
    return "done";
  }

  @Test
  @DisplayName("RE-237 the refused turn keeps what arrived, ends once and tells the parent")
  void refusedTurn() {
    Turns turns =
        Turns.of(
                (ctx, in) -> {
                  ctx.callActivity("Charge", "open");
                  ctx.callOrchestration("Ship", "open", ChildOptions.defaults());
                  ctx.waitForEvent("go").await();
                  ctx.startDetached("Mail", "hi", ChildOptions.instanceId("mail-7"));
                  ctx.callActivity("Charge", "new");
                  ctx.setCustomStatus(text(STATUS + 1));
                  return "done";
                })
            .child();
    turns.turn();
    TurnCommit commit = turns.turn(go());

    String message = "Custom status size (262145 bytes) exceeds limit (262144 bytes)";
    ErrorDetails details =
        new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, message);
    assertThat(Turns.kinds(commit))
        .containsExactly(
            new EventKind.ExternalEvent("go", "now"),
            new EventKind.ActivityCancelRequested("orchestration_terminal_failed"),
            new EventKind.SubOrchestrationCancelRequested("orchestration_terminal_failed"),
            new EventKind.OrchestrationFailed(details));
    assertThat(commit.workerItems()).isEmpty();
    assertThat(commit.orchestratorItems())
        .containsExactly(
            new WorkItem.SubOrchFailed("boss", 3, 9, details),
            new WorkItem.CancelInstance(ORDER_7 + "::sub::3", "parent failed", linkTo(3)));
    assertThat(Turns.removed(commit)).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-237 a refused first turn records the start and the failure, nothing else")
  void refusedFirstTurn() {
    TurnCommit commit =
        Turns.first((ctx, in) -> {
          ctx.setCustomStatus(text(STATUS + 1));
          return ctx.continueAsNew("next");
        });

    assertThat(Turns.kinds(commit))
        .hasSize(2)
        .first()
        .isInstanceOf(EventKind.OrchestrationStarted.class);
    assertThat(commit.metadata().orchestrationName()).isEqualTo("Order");
    assertRefused(commit, "Custom status size (262145 bytes) exceeds limit (262144 bytes)");
    assertThat(commit.orchestratorItems()).isEmpty();
  }

  /** Schedules one activity of this input in each turn, and returns after the event "end". */
  private static OrchestrationCode endless(String input) {
    return (ctx, in) -> {
      for (int i = 0; ; i++) {
        ctx.callActivity("Charge", input + i);
        if (ctx.waitForEvent("go").await().equals("end")) {
          return "done";
        }
      }
    };
  }

  /** A turn with two calls and a wait, within limits of three actions and 100 bytes or not. */
  private static TurnCommit twoCalls(int firstBytes, int secondBytes) {
    return Turns.of(
            (ctx, in) -> {
              ctx.callActivity("Charge", text(firstBytes));
              ctx.callActivity("Charge", text(secondBytes));
              return ctx.waitForEvent("go").await();
            })
        .limits(Limits.DEFAULT.withTurn(3, 100))
        .turn();
  }

  @Test
  @DisplayName("RL-035 a turn may ask for as much as the limits say")
  void turnWithin() {
    TurnCommit commit = twoCalls(60, 40);

    assertThat(commit.metadata().status()).isNotEqualTo(ExecutionStatus.FAILED);
    assertThat(commit.workerItems()).hasSize(2);
  }

  @Test
  @DisplayName("RL-035 too many actions in a turn: the text names how many and the option")
  void turnActions() {
    TurnCommit commit =
        Turns.of(
                (ctx, in) -> {
                  for (int i = 0; i < 3; i++) {
                    ctx.callActivity("Charge", "x");
                    ctx.utcNow();
                  }
                  return ctx.waitForEvent("go").await();
                })
            .limits(Limits.DEFAULT.withTurn(3, 100))
            .turn();

    assertThat(commit.metadata().output())
        .isEqualTo(
            "Actions of one turn (4) exceed limit (3, Limits.turnActions); let the code wait for"
                + " some before it asks for more");
    assertThat(commit.metadata().status()).isEqualTo(ExecutionStatus.FAILED);
    assertThat(commit.workerItems()).isEmpty();
  }

  @Test
  @DisplayName("RL-035 code that asks without an end is stopped, whatever it catches")
  void endlessActions() {
    TurnCommit commit =
        Turns.first((ctx, in) -> {
          while (true) {
            try {
              ctx.callActivity("Charge", "x");
            } catch (RuntimeException ignored) {
              ctx.log().debug("goes on");
            }
          }
        });

    assertThat(commit.metadata().output())
        .startsWith("Actions of one turn (100001) exceed limit (100000, Limits.turnActions)");
  }

  @Test
  @DisplayName("RL-035 too many bytes in a turn: the text names the size and the option")
  void turnBytes() {
    TurnCommit commit = twoCalls(60, 41);

    assertRefused(
        commit,
        "Payload of one turn (101 bytes) exceeds limit (100 bytes, Limits.turnBytes); let the code"
            + " wait for some of it before it asks for more");
    assertThat(commit.workerItems()).isEmpty();
  }

  @Test
  @DisplayName("RT-21 a history that goes on may have as many events as the limit says, not more")
  void historyEvents() {
    Turns turns = Turns.of(endless("")).limits(Limits.DEFAULT.withHistoryEvents(6));
    turns.turn();
    turns.turn(go());
    assertThat(turns.history()).hasSize(6);

    TurnCommit refused = turns.turn(go());

    assertRefused(
        refused, "History event count (9) exceeds limit (6); continue as new before that");
    assertThat(refused.workerItems()).isEmpty();
  }

  @Test
  @DisplayName("RT-21 a history that ends may exceed the limit, and so may one that continues")
  void lastTurn() {
    Turns turns = Turns.of(endless("")).limits(Limits.DEFAULT.withHistoryEvents(3));
    turns.turn();
    assertAccepted(turns.turn(new WorkItem.ExternalRaised(ORDER_7, "go", "end")));

    TurnCommit continued =
        Turns.of(
                (ctx, in) -> {
                  ctx.callActivity("Charge", "open");
                  return ctx.continueAsNew("next");
                })
            .limits(Limits.DEFAULT.withHistoryEvents(1))
            .turn();
    assertThat(continued.metadata().status()).isEqualTo(ExecutionStatus.CONTINUED_AS_NEW);
  }

  @Test
  @DisplayName("RT-21 payload counts over all turns, in UTF-8 bytes")
  void historyBytes() {
    long input = "in".length();
    int turn = "ä0".getBytes(StandardCharsets.UTF_8).length + "now".length();
    long limit = input + 2L * turn + 3;
    Turns turns = Turns.of(endless("ä")).limits(Limits.DEFAULT.withHistoryBytes(limit));
    turns.turn();
    turns.turn(go());
    assertThat(turns.turn(go()).metadata().status()).isNull();

    assertRefused(
        turns.turn(go()),
        "History size (%d bytes) exceeds limit (%d bytes); continue as new before that"
            .formatted(limit + turn, limit));
  }
}
