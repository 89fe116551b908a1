package io.duroxide.api;

/** The winner of a select over three operands of different types. */
public sealed interface Choice3<A, B, C> {

  record First<A, B, C>(A value) implements Choice3<A, B, C> {}

  record Second<A, B, C>(B value) implements Choice3<A, B, C> {}

  record Third<A, B, C>(C value) implements Choice3<A, B, C> {}
}
