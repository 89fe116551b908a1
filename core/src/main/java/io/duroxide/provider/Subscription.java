package io.duroxide.provider;

/** Ends a {@link Provider#watch} or a {@link Provider#beginStarts}. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  /** There is nothing to end. */
  Subscription NONE = () -> {};

  @Override
  void close();
}
