package io.duroxide.provider;

/** Ends a {@link LocalBus#watch} or a {@link LocalBus#beginStarts}. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  /** There is nothing to end. */
  Subscription NONE = () -> {};

  @Override
  void close();
}
