package io.duroxide.api;

/** Both outcomes of a join of two. */
public record Joined<A, B>(Outcome<A> first, Outcome<B> second) {}
