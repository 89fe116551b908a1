package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** KV: writing, clearing and reading values. */
public abstract class KeyValueTck extends KeyValueSteps {
  /** For subclasses. */
  protected KeyValueTck() {}

  @Test
  @DisplayName("TCK-KV-01 a value that was set can be read")
  void setAndGet() {
    create("x");
    change("x", set("counter", "42"));
    holds("x", "counter", "42");
  }

  @Test
  @DisplayName("TCK-KV-02 a value set again is the new one")
  void overwrite() {
    create("x");
    change("x", set("k", "old"));
    change("x", set("k", "new"));
    holds("x", "k", "new");
  }

  @Test
  @DisplayName("TCK-KV-03 a key cleared in a later turn is absent")
  void clearOne() {
    create("x");
    change("x", set("k", "v"));
    change("x", clear("k"));
    lacks("x", "k");
  }

  @Test
  @DisplayName("TCK-KV-04 clear-all removes every key")
  void clearEvery() {
    create("x");
    change("x", set("a", "1"), set("b", "2"));
    change("x", clearAll());
    lacks("x", "a");
    lacks("x", "b");
  }

  @Test
  @DisplayName("TCK-KV-05 an unknown key is absent")
  void unknownKey() {
    create("x");
    lacks("x", "nothing");
  }

  @Test
  @DisplayName("TCK-KV-06 the fetch after completion has every key in its snapshot")
  void snapshotAfterCompletion() {
    create("x");
    change("x", set("a", "1"), set("b", "2"));
    complete("x");
    assertThat(snapshot("x")).isEqualTo(Map.of("a", "1", "b", "2"));
  }

  @Test
  @DisplayName("TCK-KV-07 a key cleared before completion is not in the snapshot")
  void snapshotAfterClear() {
    create("x");
    change("x", set("keep", "1"), set("remove", "2"));
    change("x", clear("remove"));
    complete("x");
    assertThat(snapshot("x")).isEqualTo(Map.of("keep", "1"));
  }

  @Test
  @DisplayName("TCK-KV-08 after clear-all the snapshot is empty")
  void snapshotAfterClearAll() {
    create("x");
    change("x", set("a", "1"), set("b", "2"));
    change("x", clearAll());
    assertThat(snapshot("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-KV-14 equal keys of two instances are independent")
  void instancesAreIsolated() {
    create("x");
    create("y");
    change("x", set("k", "of x"));
    change("y", set("k", "of y"));
    holds("x", "k", "of x");
    holds("y", "k", "of y");
  }

  @Test
  @DisplayName("TCK-KV-16 clearing a key that was never set is accepted")
  void clearNeverSet() {
    create("x");
    change("x", clear("ghost"));
    lacks("x", "ghost");
  }

  @Test
  @DisplayName("TCK-KV-17 a key of an unknown instance is absent")
  void unknownInstance() {
    lacks("nobody", "k");
  }

  @Test
  @DisplayName("TCK-KV-18 clear-all, then set in one commit leaves the new key alone")
  void setAfterClearAll() {
    create("x");
    change("x", set("old", "1"));
    change("x", clearAll(), set("new", "2"));
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("new", "2"));
  }

  @Test
  @DisplayName("TCK-KV-19 an empty text is a value")
  void emptyValue() {
    create("x");
    change("x", set("k", ""));
    holds("x", "k", "");
  }

  @Test
  @DisplayName("TCK-KV-20 a value of 16 KiB comes back identical")
  void largeValue() {
    String large = "0123456789abcdef".repeat(1024);
    create("x");
    change("x", set("k", large));
    holds("x", "k", large);
  }

  @Test
  @DisplayName("TCK-KV-21 keys may hold blanks, dots, slashes and any script")
  void specialKeys() {
    List<String> keys = List.of("with blank", "日本語", "a.b.c", "path/to/key", "🔑", "'\"%_\\");
    create("x");
    change("x", keys.stream().map(key -> set(key, "of " + key)).toArray(EventKind[]::new));
    for (String key : keys) {
      holds("x", key, "of " + key);
    }
  }

  @Test
  @DisplayName("TCK-KV-22 the snapshot of a fresh instance is empty")
  void freshSnapshot() {
    create("x");
    assertThat(snapshot("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-KV-26 clear-all of one instance leaves the other")
  void clearIsIsolated() {
    create("a");
    create("b");
    change("a", set("k", "1"));
    change("b", set("k", "2"));
    change("a", clearAll());
    lacks("a", "k");
    holds("b", "k", "2");
  }

  @Test
  @DisplayName("TCK-KV-36 the snapshot tells when the event says the key was written")
  void snapshotTime() {
    create("x");
    change("x", set("k", "v"));
    complete("x");
    assertThat(entries("x")).isEqualTo(Map.of("k", new KvEntry("v", WRITTEN)));
  }

  @Test
  @DisplayName("TCK-KV-37 set, clear, set of one key in one commit leaves the last value")
  void lastChangeWins() {
    create("x");
    change("x", set("k", "first"), clear("k"), set("k", "last"));
    holds("x", "k", "last");
    complete("x");
    assertThat(snapshot("x")).isEqualTo(Map.of("k", "last"));
  }

  @Test
  @DisplayName("TCK-KV-42 all values: running changes over kept ones, cleared ones left out")
  void allValues() {
    create("x");
    change("x", set("kept", "1"), set("replaced", "old"), set("removed", "3"));
    continueAsNew("x", 2);
    change("x", set("replaced", "new"), clear("removed"), set("added", "4"));
    assertThat(provider.kvAllValues("x"))
        .isEqualTo(Map.of("kept", "1", "replaced", "new", "added", "4"));
    assertThat(provider.kvAllValues("nobody")).isEmpty();
  }

  @Test
  @DisplayName("TCK-KV-45 clear-all also removes what the same execution set before")
  void clearAllOfSameExecution() {
    create("x");
    change("x", set("a", "1"));
    change("x", set("b", "2"), clearAll());
    assertThat(provider.kvAllValues("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-KV-46 100 keys are readable and in the next snapshot")
  void manyKeys() {
    Map<String, String> expected = new TreeMap<>();
    for (int i = 0; i < 100; i++) {
      expected.put("key-" + i, "value-" + i);
    }
    create("x");
    change(
        "x",
        expected.entrySet().stream()
            .map(entry -> set(entry.getKey(), entry.getValue()))
            .toArray(EventKind[]::new));
    assertThat(provider.kvAllValues("x")).isEqualTo(expected);
    complete("x");
    assertThat(snapshot("x")).isEqualTo(expected);
  }

  @Test
  @DisplayName("TCK-KV-47 a failed commit and an abandoned turn leave all values as they were")
  void failedCommit() {
    create("x");
    change("x", set("k", "before"));
    poke("x");
    LockedOrchestration locked = fetched("x");
    TurnCommit doomed =
        TurnCommit.events(
            1,
            List.of(
                Events.of(locked.item().execution(), 7, set("k", "after")),
                Events.of(locked.item().execution(), 8, set("other", "after")),
                Events.started(locked.item().execution())),
            identity().withStatus(ExecutionStatus.COMPLETED, "done"));
    fails(Kind.DUPLICATE_EVENT, () -> ack(locked, doomed));
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("k", "before"));
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);
    assertThat(provider.kvAllValues("x")).isEqualTo(Map.of("k", "before"));
    assertThat(snapshot("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-KV-48 keys differ by case, and an escaped U+0000 stays in its value")
  void exactText() {
    String escaped = "{\"nul\":\"a\\u0000b\"}";
    create("x");
    change("x", set("key", "lower"), set("KEY", "upper"), set("nul", escaped));
    assertThat(provider.kvAllValues("x"))
        .isEqualTo(Map.of("key", "lower", "KEY", "upper", "nul", escaped));
    holds("x", "nul", escaped);
  }
}
