package io.duroxide.proof.program;

/** A value that is stored as JSON. */
record Amount(int units) {}
