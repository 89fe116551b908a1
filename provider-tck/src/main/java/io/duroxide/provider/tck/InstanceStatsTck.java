package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.TurnCommit;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MGMT: size figures of an instance. */
public abstract class InstanceStatsTck extends KeyValueSteps {
  /** For subclasses. */
  protected InstanceStatsTck() {}

  @Test
  @DisplayName("TCK-MGMT-08 an unknown instance has no figures")
  void unknown() {
    assertThat(provider.instanceStats("nobody")).isEmpty();
  }

  @Test
  @DisplayName("TCK-MGMT-09 a new instance has its history and nothing else")
  void fresh() {
    create("x");
    InstanceStats stats = stats("x");
    assertThat(stats.historySizeBytes()).isPositive();
    assertThat(stats).isEqualTo(new InstanceStats(1, stats.historySizeBytes(), 0, 0, 0));
  }

  @Test
  @DisplayName("TCK-MGMT-10 keys of a completed instance are counted")
  void keysOfCompleted() {
    create("x");
    change("x", ExecutionStatus.COMPLETED, set("a", "123"), set("b", "12345"));
    keys("x", 2, 8);
  }

  @Test
  @DisplayName("TCK-MGMT-11 messages carried into the execution are counted")
  void carried() {
    ExecutionKey execution = new ExecutionKey("x", 1);
    List<CarriedEvent> carried =
        List.of(
            new CarriedEvent("mailbox", "1"),
            new CarriedEvent("mailbox", "2"),
            new CarriedEvent("other", "3"));
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
            1,
            List.of(Events.started(execution, Items.VERSION, carried)),
            identity().withCarryForwardCount(3)));
    assertThat(stats("x").queuePendingCount()).isEqualTo(3);
    keys("x", 0, 0);
  }

  @Test
  @DisplayName("TCK-MGMT-12 keys of a running execution are counted")
  void keysOfRunning() {
    create("x");
    change("x", set("a", "123"), set("b", "123456"));
    keys("x", 2, 9);
  }

  @Test
  @DisplayName("TCK-MGMT-13 an overwritten key counts once, with its new value")
  void overwritten() {
    create("x");
    change("x", set("a", "123"), set("b", "12"));
    keys("x", 2, 5);
    change("x", ExecutionStatus.COMPLETED, set("a", "12345"));
    keys("x", 2, 7);
  }

  @Test
  @DisplayName("TCK-MGMT-24 keys count as a client sees them, not as they are stored")
  void logicalView() {
    create("x");
    change("x", set("cleared", "123"), set("overwritten", "1234"), set("kept", "ä€"));
    continueAsNew("x", 2);
    change("x", clear("cleared"), set("overwritten", "123456"), clear("never set"));
    keys("x", 2, 11);
  }

  @Test
  @DisplayName("TCK-MGMT-25 only the history of the current execution counts")
  void currentExecution() {
    create("x");
    change("x", set("a", "1"), set("b", "2"));
    long before = stats("x").historySizeBytes();
    assertThat(stats("x").historyEventCount()).isEqualTo(3);
    continueAsNew("x", 2);
    assertThat(stats("x").historyEventCount()).isEqualTo(1);
    assertThat(stats("x").historySizeBytes()).isPositive().isLessThan(before);
  }

  private InstanceStats stats(String instance) {
    return present(provider.instanceStats(instance));
  }

  private void keys(String instance, long count, long bytes) {
    assertThat(stats(instance).kvUserKeyCount()).isEqualTo(count);
    assertThat(stats(instance).kvTotalValueBytes()).isEqualTo(bytes);
  }
}
