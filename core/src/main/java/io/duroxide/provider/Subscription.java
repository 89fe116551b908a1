package io.duroxide.provider;

/** Ends a {@link Provider#watch}. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {
  /** Watches nothing. */
  Subscription NONE = () -> {};

  @Override
  void close();
}
