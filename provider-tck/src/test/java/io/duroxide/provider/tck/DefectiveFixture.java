package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryFixture;
import java.time.Duration;
import java.util.Set;

/** The in-memory provider with the defect that the system property {@link #PROPERTY} names. */
public final class DefectiveFixture implements ProviderFixture {
  static final String PROPERTY = "duroxide.tck.defect";

  private final MemoryFixture memory = new MemoryFixture();
  private final Defect defect = Defect.valueOf(System.getProperty(PROPERTY));

  @Override
  public Provider createProvider() {
    return Handles.intercept(memory.createProvider(), defect);
  }

  @Override
  public void advance(Duration duration) {
    memory.advance(duration);
  }

  @Override
  public int rounds() {
    return 2;
  }

  @Override
  public Set<Feature> features() {
    return memory.features();
  }

  @Override
  public Provider secondHandle(Provider provider) {
    return memory.secondHandle(provider);
  }

  @Override
  public void corruptHistory(String instance, HistoryDamage damage) {
    memory.corruptHistory(instance, damage);
  }

  @Override
  public void corruptMessage(String instance, QueueName queue) {
    memory.corruptMessage(instance, queue);
  }

  @Override
  public int maxAttemptCount(String instance) {
    return memory.maxAttemptCount(instance);
  }

  @Override
  public void setHiddenAttempts(String instance, int attempts) {
    memory.setHiddenAttempts(instance, attempts);
  }
}
