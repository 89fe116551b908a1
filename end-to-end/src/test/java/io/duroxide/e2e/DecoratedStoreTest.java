package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderOperation;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store that is measured does what it did before. */
class DecoratedStoreTest extends Scenario {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final Orchestration<String, String> FLOW = texts("Flow");

  private final List<ProviderOperation> operations = new CopyOnWriteArrayList<>();

  private List<EventKind> run(String instance) {
    world.start(n ->
        n.activity(WORK, (ctx, in) -> in + "!")
            .orchestration(CHILD, (ctx, in) -> ctx.call(WORK, in).await())
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.setCustomStatus("working");
                  ctx.kv().put("key", in);
                  return ctx.call(CHILD, ctx.call(WORK, in).await()).await();
                }));
    world.client().start(FLOW, instance, "x");
    world.output(instance);
    List<EventKind> history = world.history(instance).stream().map(Event::kind).toList();
    world.stopRuntimes();
    return history;
  }

  @Test
  @DisplayName("E2E-768 the same histories, errors as they are, management passed through")
  void transparent() {
    List<EventKind> plain = run("plain");
    Faults faults = new Faults();
    world.decorate(store -> new InstrumentedProvider(faults.on(store), operations::add));
    List<EventKind> measured = run("measured");
    Provider store = world.store();

    assertThat(measured.stream().map(EventKind::getClass))
        .isEqualTo(plain.stream().map(EventKind::getClass).toList());
    assertThat(measured.getLast()).isEqualTo(plain.getLast());
    assertThat(store.management().orElseThrow().listInstances()).hasSize(4);
    assertThat(operations.stream().map(ProviderOperation::operation))
        .contains("fetchOrchestrationItems", "fetchWorkItems", "commitTurn");

    operations.clear();
    faults.failNext("read", 1, ProviderException.Kind.CONTENTION);
    assertThatThrownBy(() -> store.read("plain"))
        .isInstanceOfSatisfying(
            ProviderException.class,
            e -> assertThat(e.kind()).isEqualTo(ProviderException.Kind.CONTENTION));
    assertThat(operations.getFirst().outcome())
        .isEqualTo(new ProviderOperation.Outcome.Failure(ProviderException.Kind.CONTENTION));
  }
}
