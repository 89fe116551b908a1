package io.duroxide.api;

/** All outcomes of a join of three. */
public record Joined3<A, B, C>(Outcome<A> first, Outcome<B> second, Outcome<C> third) {}
