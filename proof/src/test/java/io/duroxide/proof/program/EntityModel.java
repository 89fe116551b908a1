package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an entity must know when it stops, from what was sent to it: each acknowledged command is
 * applied once, commands of one sender in the order in which they were sent. One without an answer
 * is applied once or not at all, and a sender sends nothing later before it has an answer.
 */
public final class EntityModel {
  private final Map<String, List<Command>> sent = new LinkedHashMap<>();
  private final Map<String, Long> acknowledged = new TreeMap<>();
  private int sendings;
  private int commands;

  /** A sender sends a command, perhaps again. */
  public synchronized void sending(Command command) {
    List<Command> own = sent.computeIfAbsent(command.sender(), sender -> new ArrayList<>());
    sendings++;
    if (own.isEmpty() || own.getLast().sequence() < command.sequence()) {
      own.add(command);
      commands++;
    }
  }

  /** The store has acknowledged it. */
  public synchronized void acknowledged(Command command) {
    acknowledged.merge(command.sender(), command.sequence(), Math::max);
  }

  /**
   * What the entity must know.
   *
   * @param seen what it says; decides only which of the unanswered commands were applied
   */
  public synchronized EntityState expected(EntityState seen) {
    Map<String, Long> sums = new TreeMap<>();
    Map<String, Long> last = new TreeMap<>();
    Map<String, Long> chains = new TreeMap<>();
    long applied = 0;
    for (List<Command> own : sent.values()) {
      for (Command command : own) {
        String sender = command.sender();
        boolean certain = command.sequence() <= acknowledged.getOrDefault(sender, 0L);
        if (certain || command.sequence() <= seen.last().getOrDefault(sender, 0L)) {
          applied++;
          last.put(sender, command.sequence());
          chains.put(sender, EntityState.chained(chains.getOrDefault(sender, 0L), command));
          if (command.kind() == Command.Kind.ADD) {
            sums.merge(command.key(), command.amount(), Long::sum);
          }
        }
      }
    }
    long repeated = Math.min(seen.repeated(), sendings - commands);
    return new EntityState(sums, last, chains, applied, repeated, 0);
  }
}
