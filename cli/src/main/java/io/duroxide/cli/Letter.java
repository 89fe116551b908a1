package io.duroxide.cli;

import io.duroxide.client.Client;
import io.duroxide.client.Delivery;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is sent to an instance that runs: to whom, under which name, and what it says. */
final class Letter {
  @Parameters(index = "0", paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Parameters(index = "1", paramLabel = "NAME", description = "Of the event, or of the mailbox.")
  private String name;

  @Parameters(
      index = "2",
      paramLabel = "PAYLOAD",
      defaultValue = "null",
      description = "JSON or plain text, sent as it is; - reads it from the input (default: null).")
  private String payload;

  @Option(
      names = "--unchecked",
      description = "Store it although the instance is unknown or has ended; it may be lost.")
  private boolean unchecked;

  /** How it is sent. */
  @FunctionalInterface
  interface Post {
    void send(Client client, String instance, String name, String payload);
  }

  /**
   * Sends it, and says so.
   *
   * @param kind whose name it bears
   */
  Exit send(Desk desk, String command, String kind, Post post) {
    Client client = desk.client();
    if (unchecked) {
      client = client.withDelivery(Delivery.UNCHECKED);
    } else {
      desk.requireRunning(id);
    }
    post.send(client, id, name, desk.terminal().payload(payload));
    desk.answer(
        Forms.object().put("queued", command).put("instance", id).put(kind, name),
        "queued: %s %s for %s".formatted(kind, Shown.text(name), Shown.text(id)));
    return Exit.OK;
  }
}
