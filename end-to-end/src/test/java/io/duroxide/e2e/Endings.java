package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import java.util.List;

/** E2E-915, for every test of every world: the event that ends an execution is the last one. */
final class Endings {
  /** Large crowds are all alike. */
  private static final int ENOUGH = 100;

  private Endings() {}

  static void check(Provider store) {
    ProviderAdmin admin = store.management().orElseThrow();
    for (String instance : admin.listInstances().stream().limit(ENOUGH).toList()) {
      for (long execution : admin.listExecutions(instance)) {
        check(store.readWithExecution(new ExecutionKey(instance, execution)));
      }
    }
  }

  private static void check(List<Event> history) {
    List<Event> ends =
        history.stream().filter(event -> event.kind() instanceof EventKind.Terminal).toList();
    if (!ends.isEmpty()) {
      assertThat(ends).as("ends of %s", history).containsExactly(history.getLast());
    }
  }
}
