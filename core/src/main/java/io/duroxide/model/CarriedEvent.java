package io.duroxide.model;

/**
 * A queue message that moves from one execution to the next at a continue-as-new.
 *
 * @param queue the queue it was sent to
 * @param data its payload
 */
public record CarriedEvent(String queue, String data) {}
