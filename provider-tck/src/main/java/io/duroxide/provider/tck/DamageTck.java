package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ERR: stored data that cannot be decoded (8.2). */
public abstract class DamageTck extends ProviderTck {
  /** For subclasses. */
  protected DamageTck() {}

  @Test
  @Needs.Damage
  @DisplayName("TCK-ERR-06 a damaged history cannot be read, and is not read in part")
  void read() {
    for (HistoryDamage damage : HistoryDamage.values()) {
      damaged("x-" + damage, damage);
      fails(Kind.CORRUPT_DATA, () -> provider.read("x-" + damage));
    }
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-ERR-07 a damaged execution cannot be read")
  void readWithExecution() {
    for (HistoryDamage damage : HistoryDamage.values()) {
      String x = damaged("x-" + damage, damage);
      fails(Kind.CORRUPT_DATA, () -> provider.readWithExecution(first(x)));
    }
  }

  @Test
  @Needs.Damage
  @Needs.Management
  @DisplayName("TCK-ERR-08 management reports damage, and other executions stay readable")
  void management() {
    create("x");
    continueAsNew("x", 2);
    List<?> older = provider.readWithExecution(first("x"));
    fixture().corruptHistory("x", HistoryDamage.NOT_PARSEABLE);

    fails(Kind.CORRUPT_DATA, () -> admin().readHistory("x"));
    fails(Kind.CORRUPT_DATA, () -> admin().readHistoryWithExecutionId(new ExecutionKey("x", 2)));
    assertThat(admin().readHistoryWithExecutionId(first("x"))).hasSize(2).isEqualTo(older);
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-ERR-09 a damaged message comes as an error beside the good ones")
  void damagedMessage() {
    create("x");
    enqueue(Items.raised("x", "bad"));
    enqueue(Items.raised("x", "good"));
    fixture().corruptMessage("x", QueueName.ORCHESTRATOR);

    LockedOrchestration first = fetched("x");
    assertThat(first.item().messages().error()).isNotNull();
    assertThat(messages(first)).containsExactly(Items.raised("x", "good"));
    assertThat(first.attemptCount()).isEqualTo(1);
    nothingToFetch();

    provider.abandonOrchestrationItem(first.lockToken(), Duration.ZERO, false);
    LockedOrchestration second = fetched("x");
    assertThat(second.item().messages().error()).isNotNull();
    assertThat(second.attemptCount()).isEqualTo(2);
    drain(second);
    nothingToFetch();
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-ERR-10 a damaged message delays no other instance")
  void damageDelaysNobody() {
    create("x");
    create("y");
    poke("x");
    fixture().corruptMessage("x", QueueName.ORCHESTRATOR);
    poke("y");

    List<String> served = List.of(fetched().item().instance(), fetched().item().instance());

    assertThat(served).containsExactlyInAnyOrder("x", "y");
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-ERR-11 a damaged activity comes with its identity and can be failed")
  void damagedActivity() {
    create("x");
    act("x", 2);
    fixture().corruptMessage("x", QueueName.WORKER);

    LockedWork first = work(2);
    assertThat(first.decodeError()).isNotNull();
    assertThat(first.item()).isNull();
    assertThat(first.key()).isEqualTo(new ActivityKey("x", 1, 2));
    assertThat(first.attemptCount()).isEqualTo(1);
    provider.abandonWorkItem(first.lockToken(), Duration.ZERO, false);

    LockedWork second = work(2);
    assertThat(second.decodeError()).isNotNull();
    assertThat(second.attemptCount()).isEqualTo(2);
    provider.ackWorkItem(second.lockToken(), Items.failed("x", 2));
    noWork();
    assertThat(messages(fetched("x"))).containsExactly(Items.failed("x", 2));
  }

  @Test
  @Needs.UnknownFields
  @DisplayName("TCK-ERR-17 fields that nobody knows are no damage")
  void unknownFields() {
    create("x");
    WorkItem activity = Items.activity(new ActivityKey("x", 1, 2), new ActivityRouting(null, null));
    provider.enqueueForWorker(activity);
    poke("x");
    fixture().addUnknownFields("x");

    assertThat(provider.read("x")).containsExactly(Events.started(first("x")));
    assertThat(work(2).item()).isEqualTo(activity);
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().history()).isInstanceOf(StoredHistory.Whole.class);
    assertThat(history(locked)).containsExactly(Events.started(first("x")));
    assertThat(locked.item().messages().error()).isNull();
    assertThat(messages(locked)).containsExactly(Items.raised("x", "poke"));
  }

  /** An instance with ten events, damaged. */
  private String damaged(String instance, HistoryDamage damage) {
    create(instance);
    poke(instance);
    ack(
        fetched(instance),
        TurnCommit.events(1, Events.scheduled(first(instance), 2, 10), ExecutionMetadata.NONE));
    fixture().corruptHistory(instance, damage);
    return instance;
  }
}
