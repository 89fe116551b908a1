package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepths;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;

/** What must hold of a store after {@link MixedWork}, whatever happened to its nodes. */
record Aftermath(Provider store, Duration patience) {

  void check(List<MixedWork.Order> orders) {
    Client client = Client.of(store);
    for (MixedWork.Order order : orders) {
      assertThat(client.status(order.instance()))
          .as(order.instance())
          .isInstanceOfSatisfying(
              OrchestrationStatus.Completed.class,
              completed -> assertThat(completed.output()).isEqualTo(order.result()));
    }
    ProviderAdmin admin = store.management().orElseThrow();
    nothingIsLeft(admin);
    for (String instance : admin.listInstances()) {
      for (long execution : admin.listExecutions(instance)) {
        everythingOnce(new ExecutionKey(instance, execution));
      }
    }
  }

  /** Late results of activities that were run twice may still have to be put away. */
  private void nothingIsLeft(ProviderAdmin admin) {
    Awaitility.await()
        .atMost(patience)
        .until(() -> {
          QueueDepths depths = admin.queueDepths();
          return depths.orchestrator().ready()
                  + depths.orchestrator().locked()
                  + depths.worker().ready()
                  + depths.worker().locked()
              == 0;
        });
    assertThat(admin.systemMetrics().runningInstances()).isZero();
  }

  private void everythingOnce(ExecutionKey key) {
    List<Event> history = store.readWithExecution(key);
    assertThat(history)
        .as("%s", key)
        .extracting(Event::id)
        .isEqualTo(LongStream.rangeClosed(1, history.size()).boxed().toList());
    Map<Long, Long> completions =
        history.stream()
            .filter(event -> event.kind() instanceof EventKind.Completion)
            .collect(Collectors.groupingBy(Event::source, Collectors.counting()));
    assertThat(completions.values()).as("%s", key).allMatch(count -> count == 1);
    assertThat(history)
        .as("%s", key)
        .filteredOn(event -> event.kind() instanceof EventKind.Terminal)
        .containsExactly(history.getLast());
    List<Long> activities =
        history.stream()
            .filter(event -> event.kind() instanceof EventKind.ActivityScheduled)
            .map(Event::id)
            .toList();
    assertThat(completions.keySet()).as("outcomes in %s", key).containsAll(activities);
  }
}
