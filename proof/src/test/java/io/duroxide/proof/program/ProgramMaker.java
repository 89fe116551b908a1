package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the program of one instance. */
final class ProgramMaker {
  /** How a program must end for what calls it. */
  enum Wanted {
    /** With a result. */
    RESULT,
    /** With a failure. */
    FAILURE,
    /** Not by itself. */
    NEVER
  }

  private static final int MOST_PARTS = 3;

  private final Dice dice;
  private final Budget budget;
  private final int depth;
  private final boolean named;
  private final boolean clears;
  private final Map<String, Integer> reads = new TreeMap<>();
  private final List<String> ended = new ArrayList<>();
  private int positions;
  private int names;

  ProgramMaker(Dice dice, Budget budget) {
    this(dice, budget, 0, true);
  }

  private ProgramMaker(Dice dice, Budget budget, int depth, boolean named) {
    this.dice = dice;
    this.budget = budget;
    this.depth = depth;
    this.named = named;
    this.clears = dice.once(4);
  }

  Program root(String name) {
    int parts = dice.once(3) ? dice.between(2, MOST_PARTS) : 1;
    return versioned(program(name, parts, null, Integer.MAX_VALUE));
  }

  /** The program of a child or of what is started. */
  Program inner(String name, Wanted wanted, boolean withName) {
    if (wanted == Wanted.NEVER) {
      // It may be given up at any moment, so it does nothing.
      return Program.of(
          name, List.of(new Program.Part(List.of(), new End.AwaitParent())), List.of());
    }
    ProgramMaker maker = new ProgramMaker(dice, budget, depth + 1, withName);
    return versioned(maker.program(name, dice.once(4) ? 2 : 1, wanted, dice.between(1, 6)));
  }

  /** A start together with messages has no version. */
  private Program versioned(Program program) {
    boolean free = program.mail().stream().noneMatch(Program.Mail::withStart);
    return free && dice.once(4) ? program.withVersion(dice.of(ProgramCode.VERSIONS)) : program;
  }

  private Program program(String name, int parts, @Nullable Wanted wanted, int share) {
    int most = Math.min(share, budget.left());
    List<Program.Part> all = new ArrayList<>();
    BodyMaker maker = new BodyMaker(this, dice, budget);
    for (int i = 0; i < parts; i++) {
      List<Op> body = maker.body(Math.max(1, most / parts));
      all.add(new Program.Part(body, i < parts - 1 ? goOn() : end(wanted)));
    }
    return Program.of(name, all, mail());
  }

  private End goOn() {
    return new End.Continue(
        dice.coin() ? null : dice.of(ProgramCode.VERSIONS), dice.once(3) ? dice.between(1, 3) : 0);
  }

  private End end(@Nullable Wanted wanted) {
    return switch (wanted) {
      case RESULT -> new End.Return();
      case FAILURE -> failure();
      case NEVER -> throw new IllegalArgumentException("nothing to end");
      case null -> dice.below(10) < 6 ? new End.Return() : failure();
    };
  }

  private End failure() {
    if (named && dice.once(3)) {
      return new End.AwaitCancel(newPosition(), "enough of " + names);
    }
    return dice.once(4) ? new End.Exceed() : new End.Fail(dice.of(Failing.class), "failed ");
  }

  /** Enough for all reads, and now and then more. */
  private List<Program.Mail> mail() {
    List<Program.Mail> mail = new ArrayList<>();
    boolean withStart = depth == 0 && dice.coin();
    for (Map.Entry<String, Integer> queue : reads.entrySet()) {
      int senders = dice.once(3) ? 2 : 1;
      for (int i = 0; i < queue.getValue() + dice.below(3); i++) {
        int sender = withStart ? 0 : dice.between(1, senders);
        mail.add(new Program.Mail(sender, queue.getKey(), queue.getKey() + ":" + i));
      }
      withStart = false;
    }
    return mail;
  }

  /** Whether clients, and the model, know the id of the instance. */
  boolean named() {
    return named;
  }

  /** Whether it may remove all values at once; then nothing in it is free. */
  boolean clears() {
    return clears;
  }

  boolean mayHaveChildren() {
    return depth < 2;
  }

  boolean mayRead() {
    return named && !clears;
  }

  void reading(String queue, int times) {
    reads.merge(queue, times, Integer::sum);
  }

  int newPosition() {
    positions++;
    return positions;
  }

  /** A name that nothing in the instance has. */
  String newName(String prefix) {
    names++;
    return prefix + names;
  }

  void hasEnded(String child) {
    ended.add(child);
  }

  /** Named children that have ended for certain. */
  List<String> ended() {
    return ended;
  }
}
