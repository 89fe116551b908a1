package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DataConversionException;
import io.duroxide.api.KeyValueStore;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventKind.KeyValueCleared;
import io.duroxide.model.EventKind.KeyValueSet;
import io.duroxide.model.EventKind.KeyValuesCleared;
import io.duroxide.model.KvEntry;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeyValueTest {
  private static final Instant MORNING = NOON.minusSeconds(7200);

  private static Event kvSet(long id, String key, String value) {
    return event(id, new KeyValueSet(key, value, MORNING));
  }

  /** Code that changes the store, waits for activity A and then gives all that is stored. */
  private static OrchestrationCode then(Consumer<KeyValueStore> change) {
    return (ctx, in) -> {
      change.accept(ctx.kv());
      ctx.callActivity("A", "").await();
      return ctx.kv().all().toString();
    };
  }

  @Test
  @DisplayName("RE-210 each operation yields its event, without source id")
  void eventsOfOperations() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          ctx.kv().putText("k", "v");
          ctx.kv().clear("absent");
          ctx.kv().clearAll();
          return "";
        });

    assertThat(result.outcome()).isEqualTo(new Completed(""));
    assertThat(result.delta())
        .containsExactly(
            event(2, new KeyValueSet("k", "v", NOON)),
            event(3, new KeyValueCleared("absent")),
            event(4, new KeyValuesCleared()));
    assertThat(result.delta()).extracting(Event::source).containsOnlyNulls();
    assertThat(result.actions())
        .containsExactly(
            new NewAction(2, new Action.SetKeyValue("k", "v", NOON), null),
            new NewAction(3, new Action.ClearKeyValue("absent"), null),
            new NewAction(4, new Action.ClearKeyValues(), null));
  }

  static List<Arguments> changes() {
    Consumer<KeyValueStore> set = kv -> kv.putText("k", "1");
    Consumer<KeyValueStore> twice =
        kv -> {
          kv.putText("k", "1");
          kv.putText("k", "2");
        };
    Consumer<KeyValueStore> refill =
        kv -> {
          kv.putText("old", "1");
          kv.clearAll();
          kv.putText("k", "2");
        };
    Consumer<KeyValueStore> clearOne =
        kv -> {
          kv.putText("a", "1");
          kv.putText("b", "2");
          kv.clear("a");
        };
    return List.of(
        Arguments.of("a set", set, "{k=1}"),
        Arguments.of("two sets, the last wins", twice, "{k=2}"),
        Arguments.of("clear-all then set", refill, "{k=2}"),
        Arguments.of("the clearing of one key", clearOne, "{b=2}"));
  }

  @ParameterizedTest(name = "RE-211 replay reconstructs {0}")
  @MethodSource("changes")
  void reconstructed(String what, Consumer<KeyValueStore> change, String all) {
    Twin twin = Twin.started(then(change));
    TurnResult first = twin.turn();
    long activity = first.actions().getLast().eventId();

    TurnResult result = twin.turn(activityDone(activity, ""));

    assertThat(result.outcome()).as(what).isEqualTo(new Completed(all));
    assertThat(result.delta()).hasSize(1);
  }

  @Test
  @DisplayName(
      "RE-212 matching set, clear and clear-all replay cleanly between activities and never block")
  void replaysCleanly() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.kv().putText("a", "1");
          ctx.callActivity("A", "").await();
          ctx.kv().clear("a");
          ctx.kv().clearAll();
          ctx.callActivity("B", "").await();
          ctx.kv().putText("b", "2");
          return ctx.kv().all().toString();
        };
    TurnResult result =
        Engine.replay(
            code,
            started("in"),
            kvSet(2, "a", "1"),
            activityScheduled(3, "A", ""),
            activityCompleted(4, 3, ""),
            event(5, new KeyValueCleared("a")),
            event(6, new KeyValuesCleared()),
            activityScheduled(7, "B", ""),
            activityCompleted(8, 7, ""),
            kvSet(9, "b", "2"));

    assertThat(result.outcome()).isEqualTo(new Completed("{b=2}"));

    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(activityDone(3, ""));
    assertThat(twin.turn(activityDone(7, "")).outcome()).isEqualTo(new Completed("{b=2}"));
  }

  static List<Arguments> mismatches() {
    Consumer<KeyValueStore> set = kv -> kv.putText("k", "v");
    Consumer<KeyValueStore> clear = kv -> kv.clear("k");
    Consumer<KeyValueStore> clearAll = KeyValueStore::clearAll;
    Consumer<KeyValueStore> nothing = kv -> {};
    EventKind otherKey = new KeyValueSet("other", "v", NOON);
    EventKind otherValue = new KeyValueSet("k", "other", NOON);
    EventKind cleared = new KeyValueCleared("k");
    EventKind otherCleared = new KeyValueCleared("other");
    EventKind allCleared = new KeyValuesCleared();
    return List.of(
        Arguments.of("another key", set, otherKey, "kv set mismatch"),
        Arguments.of("another value", set, otherValue, "kv set mismatch"),
        Arguments.of("a clear where the code sets", set, cleared, "kv clear mismatch"),
        Arguments.of("clear-all where the code sets", set, allCleared, "kv clear_all mismatch"),
        Arguments.of("another cleared key", clear, otherCleared, "kv clear mismatch"),
        Arguments.of("a set where the code clears", clear, otherKey, "kv set mismatch"),
        Arguments.of("a clear where the code clears all", clearAll, cleared, "kv clear mismatch"),
        Arguments.of("a set before an activity", nothing, otherKey, "kv set mismatch"),
        Arguments.of("a clear before an activity", nothing, cleared, "kv clear mismatch"));
  }

  @ParameterizedTest(name = "RE-213 history has {0}: mismatch")
  @MethodSource("mismatches")
  void mismatch(String what, Consumer<KeyValueStore> change, EventKind recorded, String text) {
    TurnResult result = Engine.replay(then(change), started("in"), event(2, recorded));

    assertThat(result.outcome())
        .as(what)
        .isInstanceOfSatisfying(
            TurnOutcome.Failed.class,
            failed -> {
              assertThat(failed.details()).isInstanceOf(ErrorDetails.Configuration.class);
              assertThat(failed.details().displayMessage()).contains(text);
            });
    assertThat(result.delta()).isEmpty();
    assertThat(result.actions()).isEmpty();
  }

  @Test
  @DisplayName("RE-214 a different stamp is accepted")
  void otherStamp() {
    TurnResult result =
        Engine.replay(
            then(kv -> kv.putText("k", "v")),
            started("in"),
            kvSet(2, "k", "v"),
            activityScheduled(3, "A", ""));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("RE-215 the snapshot is visible, overridden by code, and absent keys are absent")
  void snapshot() {
    OrchestrationCode code =
        (ctx, in) -> {
          var kv = ctx.kv();
          String before = kv.getText("a").orElse("-") + kv.getText("b").orElse("-");
          kv.putText("a", "new");
          kv.clear("c");
          return before + kv.getText("absent").isPresent() + kv.all() + kv.keys() + kv.size();
        };
    TurnResult result =
        Engine.of(code)
            .kv(
                Map.of(
                    "a", new KvEntry("1", MORNING),
                    "b", new KvEntry("2", MORNING),
                    "c", new KvEntry("3", MORNING)))
            .started("in")
            .turn();

    assertThat(result.outcome()).isEqualTo(new Completed("12false{a=new, b=2}[a, b]2"));
  }

  @Test
  @DisplayName("RE-216 reads see this turn's, an earlier turn's and an earlier execution's value")
  void reads() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.kv().put("earlier", 1);
          ctx.callActivity("A", "").await();
          ctx.kv().put("now", "text");
          return ctx.kv().get("now", String.class).orElse("-")
              + ctx.kv().get("earlier", Integer.class).orElse(0)
              + ctx.kv().getText("before").orElse("-")
              + ctx.kv().getText("now").orElse("-");
        };
    Twin twin = Twin.started(code).kv(Map.of("before", new KvEntry("base", MORNING)));
    twin.turn();

    assertThat(twin.turn(activityDone(3, "")).outcome())
        .isEqualTo(new Completed("text1base\"text\""));
  }

  @Test
  @DisplayName("RE-216 a typed read of another type is a recoverable error that names the key")
  void wrongType() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.kv().put("count", "many");
          try {
            return "" + ctx.kv().get("count", Integer.class);
          } catch (DataConversionException e) {
            return e.getMessage();
          }
        };

    assertThat(((Completed) Engine.fresh(code).outcome()).output()).contains("'count'", "many");
  }

  private static OrchestrationCode counting(Consumer<KeyValueStore> first) {
    return (ctx, in) -> {
      first.accept(ctx.kv());
      for (int i = 0; i < 3; i++) {
        int count = ctx.kv().getText("n").map(Integer::parseInt).orElse(0);
        ctx.kv().putText("n", Integer.toString(count + 1));
        ctx.callActivity("A", "" + count).await();
      }
      return ctx.kv().getText("n").orElse("-");
    };
  }

  static List<Arguments> counters() {
    Consumer<KeyValueStore> nothing = kv -> {};
    Consumer<KeyValueStore> clearAll = KeyValueStore::clearAll;
    Consumer<KeyValueStore> clearOther = kv -> kv.clear("other");
    return List.of(
        Arguments.of("from nothing", nothing, Map.of(), "3"),
        Arguments.of("from a carried base value", nothing, base("10"), "13"),
        Arguments.of("after clear-all", clearAll, base("10"), "3"),
        Arguments.of("after clearing another key", clearOther, base("10"), "13"));
  }

  private static Map<String, KvEntry> base(String count) {
    return Map.of("n", new KvEntry(count, MORNING), "other", new KvEntry("x", MORNING));
  }

  @ParameterizedTest(name = "RE-217 read-modify-write every turn replays, {0}")
  @MethodSource("counters")
  void readModifyWrite(
      String what, Consumer<KeyValueStore> first, Map<String, KvEntry> snapshot, String end) {
    Twin twin = Twin.started(counting(first)).kv(snapshot);
    TurnResult result = twin.turn();
    for (int i = 0; i < 3; i++) {
      assertThat(result.outcome()).as(what).isEqualTo(new Continue());
      result = twin.turn(activityDone(result.actions().getLast().eventId(), ""));
    }

    assertThat(result.outcome()).as(what).isEqualTo(new Completed(end));
  }

  @Test
  @DisplayName("RE-218 pruning on replay uses recorded stamps and clears in key order")
  void pruneUsesRecordedStamps() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.kv().putText("z", "1");
          ctx.kv().putText("a", "1");
          ctx.callActivity("A", "").await();
          ctx.kv().putText("m", "1");
          int pruned = ctx.kv().pruneUpdatedBefore(NOON);
          return pruned + ctx.kv().all().toString();
        };
    TurnResult result =
        Engine.of(code)
            .kv(Map.of("base", new KvEntry("x", MORNING), "kept", new KvEntry("y", NOON)))
            .history(
                started("in"),
                kvSet(2, "z", "1"),
                kvSet(3, "a", "1"),
                activityScheduled(4, "A", ""))
            .turn(activityDone(4, ""));

    assertThat(result.outcome()).isEqualTo(new Completed("3{kept=y, m=1}"));
    assertThat(Engine.kinds(result).subList(1, 5))
        .containsExactly(
            new KeyValueSet("m", "1", NOON),
            new KeyValueCleared("a"),
            new KeyValueCleared("base"),
            new KeyValueCleared("z"));
  }

  @Test
  @DisplayName("RE-218 a pruning in history is repeated exactly, whatever the clock says now")
  void pruningReplays() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.kv().putText("k", "1");
          int pruned = ctx.kv().pruneUpdatedBefore(NOON);
          ctx.callActivity("A", "").await();
          return pruned + ctx.kv().all().toString();
        };
    TurnResult result =
        Engine.of(code)
            .history(
                started("in"),
                kvSet(2, "k", "1"),
                event(3, new KeyValueCleared("k")),
                activityScheduled(4, "A", ""))
            .turn(activityDone(4, ""));

    assertThat(result.outcome()).isEqualTo(new Completed("1{}"));
  }

  @Test
  @DisplayName(
      "RE-218 the greatest cutoff prunes keys of this turn, cutoff 0 none; bulk reads are ordered")
  void pruneBounds() {
    OrchestrationCode code =
        (ctx, in) -> {
          for (String key : List.of("b", "0", "c", "a")) {
            ctx.kv().putText(key, "1");
          }
          String read = ctx.kv().keys() + ctx.kv().all().toString();
          int none = ctx.kv().pruneUpdatedBefore(Instant.EPOCH);
          return read + none + ctx.kv().pruneUpdatedBefore(Instant.MAX) + ctx.kv().size();
        };

    assertThat(Engine.fresh(code).outcome())
        .isEqualTo(new Completed("[0, a, b, c]{0=1, a=1, b=1, c=1}040"));
  }
}
