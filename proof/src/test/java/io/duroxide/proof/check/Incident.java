package io.duroxide.proof.check;

/**
 * A fault as it happened.
 *
 * @param process what it hit; empty for all
 */
public record Incident(String kind, String process, long from, long until) {}
