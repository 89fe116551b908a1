package io.duroxide.proof.program;

import io.duroxide.client.Client;
import io.duroxide.client.Delivery;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Provider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Compares what the model says of a program that has ended with what is in a store. */
public final class ProgramCheck implements Arbiter {
  private final Provider store;
  private final Client client;
  private final Map<String, Set<String>> doubtful;

  /**
   * A check of programs in a store.
   *
   * @param doubtful by instance, the messages that may have been sent more than once
   */
  public ProgramCheck(Provider store, Map<String, Set<String>> doubtful) {
    this.store = store;
    this.client = Client.of(store).withDelivery(Delivery.UNCHECKED);
    this.doubtful = Map.copyOf(doubtful);
  }

  @Override
  public Map<String, String> values(String instance) {
    return client.kvAll(instance);
  }

  @Override
  public Set<String> doubtful(String instance) {
    return doubtful.getOrDefault(instance, Set.of());
  }

  /** What differs, one line each; empty if all is as it must be. */
  public List<String> differences(Program program, String instance) {
    List<String> found = new ArrayList<>();
    try {
      ProgramModel.predict(program, instance, this)
          .instances()
          .forEach((id, predicted) -> compare(id, predicted, found));
    } catch (IllegalStateException e) {
      found.add(e.getMessage());
    }
    return found;
  }

  private void compare(String id, InstancePrediction predicted, List<String> found) {
    OrchestrationStatus status = client.status(id);
    if (!predicted.certain() && status instanceof OrchestrationStatus.NotFound) {
      return;
    }
    Ending ending = Ending.of(status);
    if (!predicted.ending().allows(ending)) {
      found.add(line(id, "ending", predicted.ending(), ending));
    }
    if (!predicted.certain()) {
      return;
    }
    if (!predicted.values().equals(values(id))) {
      found.add(line(id, "values", predicted.values(), values(id)));
    }
    if (!Objects.equals(predicted.status(), status.customStatus().status())) {
      found.add(line(id, "custom status", predicted.status(), status.customStatus().status()));
    }
    int executions =
        store.readLast(id).map(event -> (int) event.execution().executionId()).orElse(0);
    if (predicted.executions() != executions) {
      found.add(line(id, "executions", predicted.executions(), executions));
    }
  }

  private static String line(String id, String what, Object predicted, Object seen) {
    return "%s of '%s'%n  must be %s%n  and is  %s".formatted(what, id, predicted, seen);
  }
}
