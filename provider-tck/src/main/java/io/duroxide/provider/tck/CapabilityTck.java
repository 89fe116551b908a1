package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CAP: which instances a node gets by the version they are pinned to. */
public abstract class CapabilityTck extends CapabilitySteps {
  /** For subclasses. */
  protected CapabilityTck() {}

  @Test
  @DisplayName("TCK-CAP-01 without a filter every instance is fetched")
  void noFilter() {
    waiting("x", "1.2.3");
    fetched("x");
  }

  @Test
  @DisplayName("TCK-CAP-02 a pin within the range is fetched")
  void compatible() {
    waiting("x", "1.2.3");
    served("x", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-03 a pin outside the range is not fetched")
  void incompatible() {
    waiting("x", "1.2.3");
    nothingIn(TWO);
  }

  @Test
  @DisplayName("TCK-CAP-04 each range gets its own instance")
  void eachItsOwn() {
    createPinned("one", "1.0.0");
    createPinned("two", "2.0.0");
    poke("one");
    poke("two");
    served("two", TWO);
    served("one", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-05 an instance passed over is not locked")
  void notLocked() {
    waiting("x", "1.2.3");
    nothingIn(TWO);
    served("x", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-06 without a pin an instance is fetched with any range")
  void noPin() {
    create("x");
    poke("x");
    served("x", range("99.0.0", "99.99.99"));
  }

  @Test
  @DisplayName("TCK-CAP-07 both ends of a range belong to it")
  void bounds() {
    SemverRange range = range("1.0.0", "1.9.99");
    createPinned("low", "1.0.0");
    createPinned("high", "1.9.99");
    createPinned("above", "2.0.0");
    poke("low");
    poke("high");
    poke("above");
    served("low", range);
    served("high", range);
    nothingIn(range);
    fetched("above");
  }

  @Test
  @DisplayName("TCK-CAP-08 the pin given with a commit counts")
  void pinFromMetadata() {
    waiting("x", "3.1.4");
    nothingIn(ONE);
    served("x", range("3.1.4", "3.1.4"));
  }

  @Test
  @DisplayName("TCK-CAP-09 a later commit without a pin keeps it")
  void pinStays() {
    createPinned("x", "1.2.3");
    change("x", new EventKind.ExternalEvent("signal", "poke"));
    poke("x");
    nothingIn(TWO);
    served("x", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-10 the next execution has its own pin")
  void nextExecution() {
    createPinned("x", "1.0.0");
    endForContinue("x");
    beginPinned("x", 2, "2.0.0");
    poke("x");
    nothingIn(ONE);
    served("x", TWO);
  }

  @Test
  @DisplayName("TCK-CAP-11 a filter without ranges gets nothing")
  void noRanges() {
    createPinned("pinned", "1.2.3");
    create("unpinned");
    poke("pinned");
    poke("unpinned");
    nothingIn();
  }

  @Test
  @DisplayName("TCK-CAP-12 a filtered fetch locks: the next one gets nothing")
  void noDoubleLock() {
    waiting("x", "1.2.3");
    served("x", ONE);
    nothingIn(ONE);
  }

  @Test
  @DisplayName("TCK-CAP-13 a later commit can add the pin")
  void backFilled() {
    create("x");
    turn("x", new EventKind.ExternalEvent("signal", "poke"), pinnedTo("1.2.3"));
    poke("x");
    nothingIn(TWO);
    served("x", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-14 a later commit can replace the pin")
  void overwritten() {
    createPinned("x", "1.0.0");
    turn("x", new EventKind.ExternalEvent("signal", "poke"), pinnedTo("2.0.0"));
    poke("x");
    nothingIn(range("1.0.0", "1.0.0"));
    served("x", range("2.0.0", "2.0.0"));
  }

  @Test
  @DisplayName("TCK-CAP-19 retired: of two ranges both count (see CAP-21)")
  void bothRangesCount() {
    waiting("x", "2.0.0");
    served("x", ONE, TWO);
  }

  @Test
  @DisplayName("TCK-CAP-21 a pin in any of the ranges is served, a pin between them never")
  void anyRange() {
    createPinned("between", "2.0.0");
    createPinned("first", "1.0.0");
    createPinned("second", "3.0.0");
    poke("between");
    poke("first");
    poke("second");
    SemverRange low = range("1.0.0", "1.5.0");
    SemverRange high = range("3.0.0", "3.5.0");
    served("first", low, high);
    served("second", low, high);
    nothingIn(low, high);
  }

  @Test
  @DisplayName("TCK-CAP-22 order, overlap, adjacency and repetition of ranges do not matter")
  void union() {
    SemverRange[] ranges = {
      range("3.0.0", "3.9.9"),
      range("1.0.0", "1.4.9"),
      range("1.2.0", "1.6.0"),
      range("1.6.1", "1.9.9"),
      range("1.0.0", "1.4.9")
    };
    createPinned("low", "1.3.0");
    createPinned("edge", "1.6.1");
    createPinned("gap", "2.0.0");
    createPinned("high", "3.0.0");
    for (String instance : List.of("low", "edge", "gap", "high")) {
      poke(instance);
    }
    served("low", ranges);
    served("edge", ranges);
    served("high", ranges);
    nothingIn(ranges);
  }

  @Test
  @DisplayName("TCK-CAP-23 a range that ends before it begins holds nothing")
  void invertedRange() {
    waiting("x", "1.5.0");
    SemverRange inverted = range("1.9.0", "1.0.0");
    nothingIn(inverted);
    nothingIn(inverted, TWO);
    served("x", inverted, ONE);
  }

  @Test
  @DisplayName("TCK-CAP-24 version parts of 1000 and more are ordered as numbers")
  void largeParts() {
    createPinned("minor", "1.1000.0");
    createPinned("patch", "1.0.1000");
    createPinned("major", "2.0.0");
    poke("minor");
    poke("patch");
    poke("major");
    nothingIn(range("1.0.0", "1.0.999"), range("1.1.0", "1.999.999"));
    served("patch", range("1.0.1000", "1.0.1000"));
    served("major", range("2.0.0", "2.0.999"));
    nothingIn(range("2.0.0", "2.0.999"));
    served("minor", range("1.999.999", "1.1000.0"));
  }

  @Test
  @DisplayName("TCK-CAP-25 a brand-new instance passes every filter that has a range")
  void brandNew() {
    start("x");
    nothingIn();
    served("x", range("99.0.0", "99.0.0"));
  }

  @Test
  @DisplayName("TCK-CAP-26 1000 incompatible instances do not hide a compatible one")
  void incompatibleAhead() {
    for (int i = 0; i < 1000; i++) {
      createPinned("x" + i, "2.0.0");
    }
    createPinned("y", "1.0.0");
    for (int i = 0; i < 1000; i++) {
      poke("x" + i);
    }
    poke("y");
    served("y", ONE);
  }

  @Test
  @Needs.Attempts
  @DisplayName("TCK-CAP-27 being passed over is no attempt")
  void noAttempt() {
    waiting("x", "1.2.3");
    for (int i = 0; i < 3; i++) {
      nothingIn(TWO);
    }
    assertThat(fixture().maxAttemptCount("x")).isZero();
    assertThat(served("x", ONE).attemptCount()).isEqualTo(1);
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-CAP-28 two nodes with other ranges each serve their own instances, once")
  void twoNodes() {
    Provider other = secondHandle();
    List<String> pins = List.of("1.0.0", "2.0.0", "1.1.0", "2.1.0", "1.2.0");
    for (String pin : pins) {
      createPinned("pinned-" + pin, pin);
    }
    pins.forEach(pin -> poke("pinned-" + pin));
    Callable<List<String>> ones = () -> everything(provider, ONE);
    Callable<List<String>> twos = () -> everything(other, TWO);
    var served = race().together(List.of(ones, twos));
    assertThat(served.getFirst().get())
        .containsExactlyInAnyOrder("pinned-1.0.0", "pinned-1.1.0", "pinned-1.2.0");
    assertThat(served.getLast().get()).containsExactlyInAnyOrder("pinned-2.0.0", "pinned-2.1.0");
  }

  @Test
  @DisplayName("TCK-CAP-29 until the next execution is pinned, the pin of the last one routes it")
  void pendingContinue() {
    createPinned("x", "1.0.0");
    endForContinue("x");
    enqueue(Items.continueAsNew("x"));
    nothingIn(TWO);
    LockedOrchestration locked = served("x", ONE);
    ack(locked, TurnCommit.events(2, firstTurnOf("x", 2).historyDelta(), pinnedTo("2.0.0")));
    poke("x");
    nothingIn(ONE);
    served("x", TWO);
  }

  @Test
  @DisplayName("TCK-CAP-30 parent and child have pins of their own")
  void parentAndChild() {
    createPinned("parent", "1.0.0");
    enqueue(Items.child("child", "parent"));
    TurnCommit birth = childTurn("child", "parent");
    ack(
        served("child", TWO),
        TurnCommit.events(
            1, birth.historyDelta(), pinnedTo("2.0.0").withParent(birth.metadata().parent())));
    poke("parent");
    poke("child");
    served("child", TWO);
    nothingIn(TWO);
    served("parent", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-37 what comes for an instance that has ended needs no handler")
  void ended() {
    OrchestrationFetch elsewhere =
        OrchestrationFetch.of(LOCK, Duration.ZERO)
            .withFilter(
                new DispatcherCapabilityFilter(
                    List.of(ONE, TWO), new HandlerFilter(Map.of("Other", Set.of("1.0.0")))));
    create("running");
    for (String ended : List.of("completed", "failed", "continued")) {
      create(ended);
    }
    complete("completed");
    fail("failed");
    endForContinue("continued");
    enqueue(Items.continueAsNew("continued"));
    poke("running");
    poke("completed");
    poke("failed");
    List<String> fetched = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      LockedOrchestration locked = present(fetch(provider, elsewhere));
      fetched.add(locked.item().instance());
      drain(locked);
    }
    assertThat(fetched).containsExactlyInAnyOrder("completed", "failed");
    assertThat(fetch(provider, elsewhere)).isEmpty();
  }

  private static TurnCommit firstTurnOf(String instance, long execution) {
    return firstTurn(new ExecutionKey(instance, execution));
  }

  @Test
  @DisplayName("TCK-CAP-60 a new execution without a pin inherits none")
  void inheritsNoPin() {
    createPinned("x", "2.0.0");
    continueAsNew("x", 2);
    poke("x");

    served("x", ONE);
  }

  @Test
  @DisplayName("TCK-CAP-62 what a filter passes over has its next attempt number unchanged")
  void passedOverKeepsItsAttempt() {
    createPinned("x", "2.0.0");
    poke("x");
    LockedOrchestration once = served("x", TWO);
    provider.abandonOrchestrationItem(once.lockToken(), Duration.ZERO, false);
    for (int i = 0; i < 3; i++) {
      nothingIn(ONE);
    }

    assertThat(served("x", TWO).attemptCount()).isEqualTo(2);
  }

  private void beginPinned(String instance, long execution, String pin) {
    enqueue(Items.continueAsNew(instance));
    ack(
        fetched(instance),
        TurnCommit.events(
            execution, firstTurnOf(instance, execution).historyDelta(), pinnedTo(pin)));
  }

  /** The ids of everything this range gets, until nothing is left. */
  private static List<String> everything(Provider handle, SemverRange range) {
    List<String> ids = new ArrayList<>();
    Optional<LockedOrchestration> next = fetchIn(handle, range);
    while (next.isPresent()) {
      ids.add(next.orElseThrow().item().instance());
      next = fetchIn(handle, range);
    }
    return ids;
  }
}
