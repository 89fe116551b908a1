package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/** The in-memory provider with the defect that the system property {@link #PROPERTY} names. */
public final class DefectiveFixture implements ProviderFixture {
  static final String PROPERTY = "duroxide.tck.defect";

  private final SimulatedStoreFixture store = new SimulatedStoreFixture();
  private final Defect defect = Defect.valueOf(System.getProperty(PROPERTY));

  @Override
  public Provider createProvider() {
    return Handles.intercept(store.createProvider(), defect);
  }

  @Override
  public void advance(Duration duration) {
    store.advance(duration);
  }

  @Override
  public int rounds() {
    return 2;
  }

  @Override
  public Set<Feature> features() {
    return store.features();
  }

  @Override
  public Provider handleWithEndedThread() {
    return Handles.intercept(store.handleWithEndedThread(), defect);
  }

  @Override
  public void fault(FaultPoint point, FaultKind kind) {
    store.fault(point, kind);
  }

  @Override
  public void heal() {
    store.heal();
  }

  @Override
  public Provider reopen(Provider provider) {
    return store.reopen(provider);
  }

  @Override
  public Provider kill(Provider provider) {
    return store.kill(provider);
  }

  @Override
  public Provider createProvider(InstantSource clock) {
    return Handles.intercept(store.createProvider(clock), defect);
  }

  @Override
  public Provider secondHandle(Provider provider) {
    return store.secondHandle(provider);
  }

  @Override
  public void corruptHistory(String instance, HistoryDamage damage) {
    store.corruptHistory(instance, damage);
  }

  @Override
  public void corruptMessage(String instance, QueueName queue) {
    store.corruptMessage(instance, queue);
  }

  @Override
  public void makeUnloadable(String instance) {
    store.makeUnloadable(instance);
  }

  @Override
  public void corruptPin(String instance) {
    store.corruptPin(instance);
  }

  @Override
  public int maxAttemptCount(String instance) {
    return store.maxAttemptCount(instance);
  }

  @Override
  public void setHiddenAttempts(String instance, int attempts) {
    store.setHiddenAttempts(instance, attempts);
  }
}
