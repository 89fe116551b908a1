package io.duroxide.provider;

/**
 * Hears of every storage operation that an {@link InstrumentedProvider} forwards.
 *
 * <p>Called on the thread of the operation, after it ended. What it throws is logged and dropped.
 * Implementations are thread-safe.
 */
@FunctionalInterface
public interface ProviderListener {
  void onOperation(ProviderOperation operation);
}
