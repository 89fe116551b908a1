package io.duroxide.provider.tck;

import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;

/**
 * Another fixture whose providers are instrumented: subclasses that return it run the kit against
 * the decorator, which is what TCK-INS-01 asks for.
 */
public final class InstrumentedFixture implements ProviderFixture {
  private final ProviderFixture inner;
  private final ProviderListener listener;
  private final IdentityHashMap<Provider, Provider> undecorated = new IdentityHashMap<>();

  public InstrumentedFixture(ProviderFixture inner, ProviderListener listener) {
    this.inner = Objects.requireNonNull(inner, "inner");
    this.listener = Objects.requireNonNull(listener, "listener");
  }

  @Override
  public Provider createProvider() {
    return decorate(inner.createProvider());
  }

  @Override
  public Duration lockTimeout() {
    return inner.lockTimeout();
  }

  @Override
  public Duration shortPollThreshold() {
    return inner.shortPollThreshold();
  }

  @Override
  public void advance(Duration duration) {
    inner.advance(duration);
  }

  @Override
  public int rounds() {
    return inner.rounds();
  }

  @Override
  public long seed() {
    return inner.seed();
  }

  @Override
  public double loadShare() {
    return inner.loadShare();
  }

  @Override
  public boolean enforcesThresholds() {
    return inner.enforcesThresholds();
  }

  @Override
  public Set<Feature> features() {
    return inner.features();
  }

  @Override
  public Provider secondHandle(Provider provider) {
    return decorate(inner.secondHandle(undecorated(provider)));
  }

  @Override
  public Provider reopen(Provider provider) {
    return decorate(inner.reopen(undecorated(provider)));
  }

  @Override
  public Provider kill(Provider provider) {
    return decorate(inner.kill(undecorated(provider)));
  }

  @Override
  public void corruptHistory(String instance, HistoryDamage damage) {
    inner.corruptHistory(instance, damage);
  }

  @Override
  public void corruptMessage(String instance, QueueName queue) {
    inner.corruptMessage(instance, queue);
  }

  @Override
  public Provider createProvider(InstantSource clock) {
    return decorate(inner.createProvider(clock));
  }

  @Override
  public void makeUnloadable(String instance) {
    inner.makeUnloadable(instance);
  }

  @Override
  public void corruptPin(String instance) {
    inner.corruptPin(instance);
  }

  @Override
  public Provider handleWithEndedThread() {
    return decorate(inner.handleWithEndedThread());
  }

  @Override
  public void addUnknownFields(String instance) {
    inner.addUnknownFields(instance);
  }

  @Override
  public int maxAttemptCount(String instance) {
    return inner.maxAttemptCount(instance);
  }

  @Override
  public void setHiddenAttempts(String instance, int attempts) {
    inner.setHiddenAttempts(instance, attempts);
  }

  @Override
  public void fault(FaultPoint point, FaultKind kind) {
    inner.fault(point, kind);
  }

  @Override
  public void heal() {
    inner.heal();
  }

  @Override
  public void setClockBack(Duration by) {
    inner.setClockBack(by);
  }

  @Override
  public Runnable holdRow(String instance) {
    return inner.holdRow(instance);
  }

  @Override
  public void skewClock(Provider handle, Duration shift) {
    inner.skewClock(undecorated(handle), shift);
  }

  @Override
  public ClusterHooks cluster() {
    return inner.cluster();
  }

  @Override
  public void cutNotifications(Provider handle) {
    inner.cutNotifications(undecorated(handle));
  }

  @Override
  public long roundTrips() {
    return inner.roundTrips();
  }

  @Override
  public long statements() {
    return inner.statements();
  }

  @Override
  public long storedBytes() {
    return inner.storedBytes();
  }

  @Override
  public void close() {
    inner.close();
  }

  private Provider decorate(Provider provider) {
    Provider decorated = new InstrumentedProvider(provider, listener);
    undecorated.put(decorated, provider);
    return decorated;
  }

  private Provider undecorated(Provider decorated) {
    return Objects.requireNonNull(undecorated.get(decorated), "a provider of this fixture");
  }
}
