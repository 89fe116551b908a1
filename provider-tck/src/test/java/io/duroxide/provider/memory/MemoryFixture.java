package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.provider.tck.Feature;
import io.duroxide.provider.tck.HistoryDamage;
import io.duroxide.provider.tck.ProviderFixture;
import io.duroxide.provider.tck.QueueName;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** The in-memory provider on a clock that stands still until a test moves it. */
public final class MemoryFixture implements ProviderFixture {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.ofEpochMilli(System.currentTimeMillis()));
  private final MemoryProvider provider = MemoryProvider.create(now::get);

  @Override
  public Provider createProvider() {
    return provider;
  }

  @Override
  public Provider createProvider(InstantSource clock) {
    return MemoryProvider.create(clock);
  }

  @Override
  public void advance(Duration duration) {
    now.updateAndGet(instant -> instant.plus(duration));
    provider.clockAdvanced();
  }

  @Override
  public void setClockBack(Duration by) {
    advance(by.negated());
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LONG_POLL,
        Feature.MANAGEMENT,
        Feature.NEW_STARTS,
        Feature.CHECKED_SENDS,
        Feature.WITHDRAWN_TIMERS,
        Feature.WINDOWS,
        Feature.ORPHAN_PURGE,
        Feature.DROP_COUNT,
        Feature.TWO_HANDLES,
        Feature.CLOCK_STEP,
        Feature.DAMAGE,
        Feature.UNLOADABLE,
        Feature.ATTEMPTS);
  }

  /** The same store; closing the handle leaves the store open. */
  @Override
  public Provider secondHandle(Provider first) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (handle, method, arguments) -> {
              if (method.getName().equals("close")) {
                return null;
              }
              try {
                return method.invoke(first, arguments);
              } catch (InvocationTargetException failure) {
                throw Objects.requireNonNull(failure.getCause());
              }
            });
  }

  @Override
  public void corruptHistory(String instance, HistoryDamage damage) {
    long executionId = provider.management().orElseThrow().latestExecutionId(instance);
    ExecutionKey current = new ExecutionKey(instance, executionId);
    List<Long> ids = provider.faults().eventIds(current);
    int victim = damage == HistoryDamage.ONE_OF_MANY ? ids.size() / 2 : 0;
    provider.faults().damageEvent(current, ids.get(victim), damage.toString());
  }

  @Override
  public void corruptMessage(String instance, QueueName queue) {
    switch (queue) {
      case ORCHESTRATOR -> provider.faults().damageMessage(instance, "not parseable");
      case WORKER -> provider.faults().damageActivity(instance, "not parseable");
    }
  }

  @Override
  public void makeUnloadable(String instance) {
    long executionId = provider.management().orElseThrow().latestExecutionId(instance);
    provider.faults().makeUnloadable(new ExecutionKey(instance, executionId));
  }

  @Override
  public void corruptPin(String instance) {
    long executionId = provider.management().orElseThrow().latestExecutionId(instance);
    provider.faults().damagePin(new ExecutionKey(instance, executionId), "0.garbage");
  }

  @Override
  public int maxAttemptCount(String instance) {
    return provider.faults().maxAttemptCount(instance);
  }

  @Override
  public void setHiddenAttempts(String instance, int attempts) {
    provider.faults().setHiddenAttempts(instance, attempts);
  }
}
