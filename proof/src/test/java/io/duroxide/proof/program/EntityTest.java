package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.client.Delivery;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EntityTest {
  private static final int OPERATIONS = 1_000;
  private static final int EXECUTIONS = 100;
  private static final int ALONE = 400;
  private static final int SENDERS = 3;
  private static final int QUERY_EVERY = 25;

  @TempDir private Path folder;

  @ParameterizedTest(name = "RL-010 1,000 operations over 100 executions equal the model, {0}")
  @EnumSource(StoreKind.class)
  @DisplayName(
      "RL-010 entities with a model in their values: 1,000 operations over 100 executions equal"
          + " the model")
  void equalsModel(StoreKind kind) {
    EntityModel model = new EntityModel();
    try (Provider store = kind.open(folder)) {
      Client client = Client.of(store).withDelivery(Delivery.UNCHECKED);
      DuroxideRuntime.Builder node = DuroxideRuntime.builder(store);
      ProgramCode.register(node, ActivityLedger.NONE);
      try (DuroxideRuntime runtime = node.start();
          ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
        client.start(EntityCode.ENTITY, "entity", EntityCode.Rest.start(3));
        // One sender alone: the entity often waits. Several: it rarely does.
        commands(client, model, "alone", ALONE);
        int each = (OPERATIONS - ALONE) / SENDERS;
        List<CompletableFuture<Void>> sent = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
          String sender = "sender-" + i;
          sent.add(
              CompletableFuture.runAsync(() -> commands(client, model, sender, each), senders));
        }
        sent.forEach(CompletableFuture::join);
        send(client, model, Command.stop("last", 1));

        EntityState seen =
            EntityState.fromJson(
                client.waitFor(EntityCode.ENTITY, "entity", ProgramBench.PATIENCE));
        assertThat(seen).isEqualTo(model.expected(seen));
        assertThat(seen.applied()).isEqualTo(OPERATIONS + 1);
        assertThat(store.readLast("entity").orElseThrow().execution().executionId())
            .isGreaterThanOrEqualTo(EXECUTIONS);
      }
    }
  }

  private static void commands(Client client, EntityModel model, String sender, int count) {
    for (int i = 1; i <= count; i++) {
      send(
          client,
          model,
          i % QUERY_EVERY == 0
              ? Command.query(sender, i)
              : Command.add(sender, i, "key-" + i % 5, i));
    }
  }

  private static void send(Client client, EntityModel model, Command command) {
    model.sending(command);
    client.enqueue("entity", EntityCode.COMMANDS, command);
    model.acknowledged(command);
  }

  @Test
  @DisplayName("an entity shows its state when it is asked, and ends with it")
  void answers() {
    try (Provider store = StoreKind.MEMORY.open(folder)) {
      Client client = Client.of(store).withDelivery(Delivery.UNCHECKED);
      DuroxideRuntime.Builder node = DuroxideRuntime.builder(store);
      ProgramCode.register(node, ActivityLedger.NONE);
      try (DuroxideRuntime runtime = node.start()) {
        EntityModel model = new EntityModel();
        client.start(EntityCode.ENTITY, "entity", EntityCode.Rest.start(2));
        LongStream.rangeClosed(1, 5)
            .forEach(i -> send(client, model, Command.add("sender", i, "key", i)));
        send(client, model, Command.query("sender", 6));

        assertThat(
                client.waitForKv("entity", EntityCode.ANSWER, String.class, ProgramBench.PATIENCE))
            .isEqualTo("sender/6");
        OrchestrationStatus status = client.status("entity");
        EntityState shown = EntityState.fromJson(status.customStatus().status());
        assertThat(shown).isEqualTo(model.expected(shown));
        assertThat(shown.sums()).containsEntry("key", 15L);

        Command again = Command.add("sender", 5, "key", 5);
        send(client, model, again);
        send(client, model, Command.stop("sender", 7));
        EntityState end =
            EntityState.fromJson(
                client.waitFor(EntityCode.ENTITY, "entity", ProgramBench.PATIENCE));
        assertThat(end).isEqualTo(model.expected(end));
        assertThat(end.repeated()).isEqualTo(1);
      }
    }
  }

  @Test
  @DisplayName("the model of an entity notices what is lost, doubled, out of order and unasked for")
  void modelNotices() {
    EntityModel model = new EntityModel();
    for (int i = 1; i <= 3; i++) {
      model.sending(Command.add("sender", i, "key", i));
      model.acknowledged(Command.add("sender", i, "key", i));
    }
    model.sending(Command.add("sender", 4, "key", 4));
    EntityState right = model.expected(EntityState.empty());
    assertThat(right.sums()).containsEntry("key", 6L);
    assertThat(right.applied()).isEqualTo(3);

    EntityState lost = state(1, 3);
    assertThat(lost).isNotEqualTo(model.expected(lost));
    EntityState swapped = state(2, 1, 3);
    assertThat(swapped).isNotEqualTo(model.expected(swapped));
    EntityState doubled = new EntityState(right.sums(), right.last(), right.chains(), 3, 1, 0);
    assertThat(doubled).isNotEqualTo(model.expected(doubled));
    EntityState unanswered = state(1, 2, 3, 4);
    assertThat(unanswered).isEqualTo(model.expected(unanswered));
    EntityState unasked = state(1, 2, 3, 4, 5);
    assertThat(unasked).isNotEqualTo(model.expected(unasked));
  }

  /** What is known after these additions, in this order. */
  private static EntityState state(long... sequences) {
    long chain = 0;
    long last = 0;
    long sum = 0;
    for (long sequence : sequences) {
      chain = EntityState.chained(chain, Command.add("sender", sequence, "key", sequence));
      last = Math.max(last, sequence);
      sum += sequence;
    }
    return new EntityState(
        Map.of("key", sum),
        Map.of("sender", last),
        Map.of("sender", chain),
        sequences.length,
        0,
        0);
  }
}
