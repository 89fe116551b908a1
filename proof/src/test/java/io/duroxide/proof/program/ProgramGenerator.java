package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes programs and entities from a seed, the same ones each time. Most programs have one possible
 * result; where one is free, what decides it is written down by the run.
 */
public final class ProgramGenerator {
  private static final int LEAST = 3;
  private static final int MOST = 60;
  private static final int ENTITY_SALT = 1_000_003;

  private final long seed;

  public ProgramGenerator(long seed) {
    this.seed = seed;
  }

  /** The n-th program of this seed. */
  public Program program(int number) {
    Dice dice = Dice.of(seed, number);
    int size = LEAST + (int) ((MOST - LEAST + 1) * dice.small());
    Program program = program(dice, size, number);
    // What is nested may take more than its share.
    while (program.size() < LEAST || program.size() > MOST) {
      size = Math.max(LEAST, size * 2 / 3);
      program = program(dice, size, number);
    }
    return program;
  }

  private Program program(Dice dice, int size, int number) {
    return new ProgramMaker(dice, new Budget(size)).root("program-" + seed + "-" + number);
  }

  /** The n-th entity of this seed. */
  public EntityPlan entity(int number) {
    Dice dice = Dice.of(seed, number + ENTITY_SALT);
    List<List<Command>> senders = new ArrayList<>();
    for (int sender = 0; sender < dice.between(1, 3); sender++) {
      senders.add(commands(dice, "sender-" + sender, dice.between(10, 60)));
    }
    return new EntityPlan("entity-" + seed + "-" + number, dice.between(1, 4), senders);
  }

  private static List<Command> commands(Dice dice, String sender, int count) {
    List<Command> commands = new ArrayList<>();
    for (int sequence = 1; sequence <= count; sequence++) {
      commands.add(
          dice.once(8)
              ? Command.query(sender, sequence)
              : Command.add(sender, sequence, "key-" + dice.below(4), dice.between(-5, 20)));
    }
    return commands;
  }
}
