package io.duroxide.api;

/** The winner of a select over two operands of different types. */
public sealed interface Choice<A, B> {

  record First<A, B>(A value) implements Choice<A, B> {}

  record Second<A, B>(B value) implements Choice<A, B> {}
}
