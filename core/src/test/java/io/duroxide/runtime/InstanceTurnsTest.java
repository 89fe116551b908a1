package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Turns of a node")
class InstanceTurnsTest {
  private final InstanceTurns turns = new InstanceTurns(4);

  private Optional<InstanceTurns.Turn> start(String instance) {
    return turns.tryBeginStart(instance, Duration.ZERO);
  }

  @Test
  @DisplayName("RL-061 starts take half of the slots and leave the others to the queue")
  void halfOfTheSlots() {
    assertThat(start("a")).isPresent();
    assertThat(start("b")).isPresent();

    assertThat(start("c")).isEmpty();
    assertThat(turns.slots().free()).isEqualTo(2);
    assertThat(turns.tryBegin("step")).isPresent();
  }

  @Test
  @DisplayName("RL-061 a start waits for one before it to end")
  void waits() throws Exception {
    InstanceTurns.Turn first = start("a").orElseThrow();
    assertThat(start("b")).isPresent();
    FutureTask<Optional<InstanceTurns.Turn>> late =
        new FutureTask<>(() -> turns.tryBeginStart("late", Duration.ofMinutes(1)));
    Thread waiting = Thread.ofPlatform().start(late);
    Awaitility.await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

    first.close();

    assertThat(late.get()).isPresent();
    assertThat(turns.slots().free()).isEqualTo(2);
  }

  @Test
  @DisplayName("an instance that takes a turn begins no other, and nothing is counted for it")
  void oneAtATime() {
    assertThat(start("x")).isPresent();
    for (int i = 0; i < 10; i++) {
      assertThat(start("x")).isEmpty();
    }

    assertThat(start("y")).isPresent();
    assertThat(turns.slots().free()).isEqualTo(2);
  }

  @Test
  @DisplayName("a node with one slot begins instances at once too")
  void oneSlot() {
    InstanceTurns few = new InstanceTurns(1);

    assertThat(few.tryBeginStart("x", Duration.ZERO)).isPresent();
    assertThat(few.tryBeginStart("y", Duration.ZERO)).isEmpty();
  }
}
