package io.duroxide.model;

import java.util.Objects;

/**
 * How much of a mailbox queue an execution has read.
 *
 * @param messages how many; from some number on no more are counted
 */
public record QueueReads(String queue, int messages) {
  public QueueReads {
    Objects.requireNonNull(queue, "queue");
  }
}
