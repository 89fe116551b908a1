package io.duroxide.provider;

/** How many rows a deletion removed. */
public record DeleteResult(
    long instancesDeleted, long executionsDeleted, long eventsDeleted, long queueMessagesDeleted) {
  public static final DeleteResult NONE = new DeleteResult(0, 0, 0, 0);

  public DeleteResult plus(DeleteResult other) {
    return new DeleteResult(
        instancesDeleted + other.instancesDeleted,
        executionsDeleted + other.executionsDeleted,
        eventsDeleted + other.eventsDeleted,
        queueMessagesDeleted + other.queueMessagesDeleted);
  }
}
