package io.duroxide.proof.program;

import java.util.List;

/**
 * An entity and what its senders send to it.
 *
 * @param each how many commands an execution reads
 * @param commands by sender; each sends its own in order, again if there is no answer
 */
public record EntityPlan(String name, int each, List<List<Command>> commands) {
  public EntityPlan {
    commands = List.copyOf(commands);
  }

  public EntityCode.Rest input() {
    return EntityCode.Rest.start(each);
  }
}
