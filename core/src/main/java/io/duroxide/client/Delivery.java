package io.duroxide.client;

/** Whether a client hears that what it sends reaches nobody. */
public enum Delivery {
  /**
   * Messages for an instance that has ended are refused with {@link ClientException.InstanceEnded},
   * those for an unknown one with {@link ClientException.InstanceNotFound} unless they are held for
   * it. The store decides in the step that stores the message.
   */
  CHECKED,
  /** Messages are stored whoever they are for; what reaches nobody is dropped. */
  UNCHECKED
}
