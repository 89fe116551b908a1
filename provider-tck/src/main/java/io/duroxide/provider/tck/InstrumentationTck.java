package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.ProviderOperation;
import io.duroxide.provider.ProviderOperation.Outcome;
import io.duroxide.provider.WorkFetch;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** INS: the instrumented decorator around the provider. */
public abstract class InstrumentationTck extends LifecycleSteps {
  private static final Duration ONE_TICK = Duration.ofNanos(1);
  private static final Duration MOMENT = Duration.ofMillis(50);

  private final List<ProviderOperation> heard = new CopyOnWriteArrayList<>();

  /** For subclasses. */
  protected InstrumentationTck() {}

  /** {@link InstrumentedFixture} runs every other entry against the decorator; this is the gist. */
  @Test
  @DisplayName("TCK-INS-01 a decorated provider answers like the one inside")
  void transparent() {
    Provider inner = provider;
    Provider decorated = decorate(inner);
    provider = decorated;
    createWith("x", List.of(Items.activity("x", 1)));
    change(
        "x",
        new EventKind.KeyValueSet("k", "v", Events.STAMP.at()),
        new EventKind.CustomStatusUpdated("half"));
    LockedWork work = work(1);
    provider.ackWorkItem(work.lockToken(), Items.completed("x", 1));
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.completed("x", 1));
    lost(() -> provider.ackWorkItem(work.lockToken(), null));
    drain(locked);
    continueAsNew("x", 2);
    List<Function<Provider, Object>> reads =
        List.of(
            Provider::name,
            Provider::version,
            handle -> handle.read("x"),
            handle -> handle.readLast("x"),
            handle -> handle.readWithExecution(new ExecutionKey("x", 1)),
            handle -> handle.customStatus("x", 0),
            handle -> handle.kvValue("x", "k"),
            handle -> handle.kvAllValues("x"),
            handle -> handle.instanceStats("x"),
            handle -> handle.status("x"));
    for (Function<Provider, Object> read : reads) {
      assertThat(read.apply(decorated)).isEqualTo(read.apply(inner));
    }
    provider = inner;
    nothingToFetch();
    noWork();
  }

  @Test
  @DisplayName("TCK-INS-02 management is offered exactly when the provider inside offers it")
  void management() {
    Provider decorated = decorate(provider);
    Optional<ProviderAdmin> offered = provider.management();
    assertThat(decorated.management().isPresent()).isEqualTo(offered.isPresent());
    assertThat(decorate(withoutManagement(provider)).management()).isEmpty();
    create("x");
    offered.ifPresent(admin ->
        assertThat(decorated.management().orElseThrow().instanceInfo("x"))
            .isEqualTo(admin.instanceInfo("x")));
  }

  @Test
  @DisplayName("TCK-INS-03 success, failure and empty fetch are recorded once, without waiting")
  void recorded() {
    provider = decorate(provider);
    start("x");
    heard("enqueueForOrchestrator", ONE_TICK, Outcome.SUCCESS, 0);
    fetched("x");
    heard("fetchOrchestrationItem", ONE_TICK, Outcome.SUCCESS, 1);
    nothingToFetch();
    heard("fetchOrchestrationItem", ONE_TICK, Outcome.EMPTY, 0);
    lost(() -> provider.renewOrchestrationItemLock(NO_TOKEN, LOCK));
    heard("renewOrchestrationItemLock", ONE_TICK, new Outcome.Failure(Kind.LOCK_LOST), 0);
    fails(Kind.INVALID_INPUT, () -> provider.enqueueForWorker(Items.start("y")));
    heard("enqueueForWorker", ONE_TICK, new Outcome.Failure(Kind.INVALID_INPUT), 0);
    act("x", 1);
    heard("enqueueForWorker", ONE_TICK, Outcome.SUCCESS, 0);
    assertThat(wfetch(provider, WorkFetch.of(LOCK, MOMENT))).isPresent();
    heard("fetchWorkItem", ONE_TICK, Outcome.SUCCESS, 1);
    assertThat(wfetch(provider, WorkFetch.of(LOCK, MOMENT))).isEmpty();
    waited("fetchWorkItem");
    assertThat(fetch(provider, OrchestrationFetch.of(LOCK, MOMENT))).isEmpty();
    waited("fetchOrchestrationItem");
  }

  /** Measures with a clock that moves by one nanosecond whenever it is looked at. */
  private Provider decorate(Provider inner) {
    return new InstrumentedProvider(inner, heard::add, new AtomicLong()::getAndIncrement);
  }

  /** Exactly this was recorded since the last look. */
  private void heard(String operation, Duration duration, Outcome outcome, int rows) {
    assertThat(heard).containsExactly(new ProviderOperation(operation, duration, outcome, rows));
    heard.clear();
  }

  private void waited(String operation) {
    assertThat(heard).containsExactly(new ProviderOperation(operation, null, Outcome.EMPTY, 0));
    heard.clear();
  }

  private static Provider withoutManagement(Provider inner) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("management")) {
                return Optional.empty();
              }
              try {
                return method.invoke(inner, arguments);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }
}
