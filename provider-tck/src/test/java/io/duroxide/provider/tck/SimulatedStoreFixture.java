package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.memory.MemoryFixture;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The in-memory provider behind a connection that can break, so that every entry of the kit is run
 * by its own tests. What it proves is the kit, not durability: its handles share one memory.
 */
public final class SimulatedStoreFixture implements ProviderFixture {
  /** As many statements as an operation of this store is said to have. */
  private static final int STATEMENTS = 4;

  private static final Set<String> WITHOUT_CONNECTION =
      Set.of("name", "version", "now", "close", "localBus", "toString");

  private final MemoryFixture memory = new MemoryFixture();
  private final AtomicReference<Fault> armed = new AtomicReference<>();

  private record Fault(FaultPoint point, FaultKind kind) {}

  @Override
  public Provider createProvider() {
    return connect(memory.createProvider());
  }

  private Provider connect(Provider store) {
    return Handles.intercept(store, this::perform);
  }

  private Object perform(Handles.Call call) throws Throwable {
    if (call.is("management")) {
      return ((Optional<?>) call.proceed())
          .map(admin ->
              Handles.intercept(ProviderAdmin.class, (ProviderAdmin) admin, this::perform));
    }
    Fault fault = armed.get();
    if (fault == null || WITHOUT_CONNECTION.contains(call.operation())) {
      return call.proceed();
    }
    if (fault.kind() == FaultKind.UNREACHABLE) {
      throw failure(call, ProviderException.Kind.UNAVAILABLE);
    }
    if (fault.point().statement() >= STATEMENTS || !armed.compareAndSet(fault, null)) {
      return call.proceed();
    }
    if (fault.point().equals(FaultPoint.AFTER_COMMIT)) {
      call.proceed();
    }
    throw failure(call, kind(fault.kind()));
  }

  private static ProviderException.Kind kind(FaultKind fault) {
    return switch (fault) {
      case CONNECTION_LOST, SERVER_RESTART, UNREACHABLE, ERROR ->
          ProviderException.Kind.UNAVAILABLE;
      case DEADLOCK, SERIALIZATION_FAILURE -> ProviderException.Kind.CONTENTION;
    };
  }

  private static ProviderException failure(Handles.Call call, ProviderException.Kind kind) {
    return new ProviderException(kind, call.operation(), "simulated");
  }

  /** All but the little that needs no thread of a store. */
  @Override
  public Provider handleWithEndedThread() {
    Handles.Interceptor refuse =
        call -> {
          if (WITHOUT_CONNECTION.contains(call.operation())) {
            return call.proceed();
          }
          throw failure(call, ProviderException.Kind.UNAVAILABLE);
        };
    return Handles.intercept(
        memory.secondHandle(memory.createProvider()),
        call ->
            call.is("management")
                ? ((Optional<?>) call.proceed())
                    .map(admin ->
                        Handles.intercept(ProviderAdmin.class, (ProviderAdmin) admin, refuse))
                : refuse.intercept(call));
  }

  @Override
  public void fault(FaultPoint point, FaultKind kind) {
    armed.set(new Fault(point, kind));
  }

  @Override
  public void heal() {
    armed.set(null);
  }

  @Override
  public Provider createProvider(InstantSource clock) {
    return memory.createProvider(clock);
  }

  @Override
  public Set<Feature> features() {
    EnumSet<Feature> features = EnumSet.copyOf(memory.features());
    features.addAll(
        EnumSet.of(
            Feature.DURABLE,
            Feature.FAULTS,
            Feature.ERRORS,
            Feature.THREADS,
            Feature.KILL,
            Feature.NOTIFICATIONS));
    return features;
  }

  @Override
  public int rounds() {
    return 5;
  }

  @Override
  public void advance(Duration duration) {
    memory.advance(duration);
  }

  @Override
  public void setClockBack(Duration by) {
    memory.setClockBack(by);
  }

  @Override
  public Provider secondHandle(Provider provider) {
    return memory.secondHandle(provider);
  }

  @Override
  public Provider reopen(Provider provider) {
    return connect(memory.createProvider());
  }

  @Override
  public Provider kill(Provider provider) {
    return reopen(provider);
  }

  @Override
  public void cutNotifications(Provider handle) {
    // Waiting fetches of this store look for themselves.
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
  public void makeUnloadable(String instance) {
    memory.makeUnloadable(instance);
  }

  @Override
  public void corruptPin(String instance) {
    memory.corruptPin(instance);
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
