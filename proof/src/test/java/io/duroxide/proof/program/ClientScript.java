package io.duroxide.proof.program;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What clients have to do for a program, the start included.
 *
 * <p>Steps of one sender are made one after the other, each after the one before was acknowledged;
 * those of other senders than that of the start may be made at any time after the start was
 * acknowledged. A step without an answer is made again: starts, events and cancels bear that, a
 * message that was sent twice must be told to the model. A step may be left out once the instance
 * it is meant for has ended.
 */
public record ClientScript(List<Step> steps) {
  /** What the custom status of a program begins with, before the position. */
  private static final String GATE = "at ";

  public ClientScript {
    steps = List.copyOf(steps);
  }

  /**
   * One call.
   *
   * @param after the position that the instance must have shown; 0 if it only has to exist, as the
   *     program's own instance does once its start was acknowledged
   */
  public record Step(int sender, String instance, int after, Deed deed) {}

  /** What a client calls. */
  public sealed interface Deed {

    /**
     * Starts {@link ProgramCode#PROGRAM}.
     *
     * @param version null for the newest
     * @param queue where the first messages go
     * @param messages if there are any, started together with them, without a version
     */
    record Start(@Nullable String version, Program input, String queue, List<String> messages)
        implements Deed {}

    record Raise(String event, String data) implements Deed {}

    record Send(String queue, String message) implements Deed {}

    record Cancel(String reason) implements Deed {}
  }

  static String statusAt(int position, String text) {
    return GATE + position + (text.isEmpty() ? "" : " " + text);
  }

  /** The position that a custom status shows; empty if it shows none. */
  public static Optional<Integer> position(@Nullable String customStatus) {
    if (customStatus == null || !customStatus.startsWith(GATE)) {
      return Optional.empty();
    }
    String[] words = customStatus.split(" ", 3);
    return Optional.of(Integer.valueOf(words[1]));
  }
}
