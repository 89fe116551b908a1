package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes the statements of one frame, in blocks that leave nothing open whose end would be a matter
 * of time: what has effects is waited for, and what is given up either never comes or is not looked
 * at.
 */
final class BodyMaker {
  private static final int DEEPEST = 3;

  private final ProgramMaker program;
  private final Dice dice;
  private final Budget budget;
  private final TaskMaker tasks;
  private final String prefix;
  private final boolean branch;
  private final int depth;
  private int repeated = 1;
  private int slots;

  BodyMaker(ProgramMaker program, Dice dice, Budget budget) {
    this(program, dice, budget, 0, false);
  }

  private BodyMaker(ProgramMaker program, Dice dice, Budget budget, int depth, boolean branch) {
    this.program = program;
    this.dice = dice;
    this.budget = budget;
    this.depth = depth;
    this.branch = branch;
    this.prefix = branch ? program.newName("b") + "-" : "";
    this.tasks = new TaskMaker(this, program, dice);
  }

  /** A frame of its own, beside this one. */
  BodyMaker beside() {
    BodyMaker inner = new BodyMaker(program, dice, budget, depth + 1, true);
    inner.repeated = repeated;
    return inner;
  }

  boolean mayNest() {
    return depth < DEEPEST && budget.left() > 2;
  }

  boolean isRepeated() {
    return repeated > 1;
  }

  int repeated() {
    return repeated;
  }

  /** The mailbox that only this frame reads. */
  String queue() {
    return prefix + "q" + dice.below(2);
  }

  String key(String kind) {
    return prefix + kind + dice.below(3);
  }

  List<Op> body(int operations) {
    List<Op> body = new ArrayList<>();
    int goal = Math.min(operations, Math.max(1, budget.left()));
    while (body.size() < goal) {
      List<Op> block = block();
      budget.spend(block.size());
      body.addAll(block);
    }
    return body;
  }

  private List<Op> inner(int most) {
    return body(dice.between(1, most));
  }

  private List<Op> block() {
    return switch (dice.below(26)) {
      case 0, 1, 2, 3 -> single();
      case 4, 5, 6 -> several();
      case 7, 8 -> select();
      case 9 -> givenUp();
      case 10 -> outOfTime();
      case 11, 12 -> mayRead() ? letters() : single();
      case 13 -> mayRead() ? List.of(tasks.race()) : single();
      case 14 -> List.of(map(-1));
      case 15 -> mayNest() ? List.of(scope()) : values();
      case 16, 17 -> List.of(saga());
      case 18, 19 -> mayNest() ? List.of(attempt()) : values();
      case 20 -> mayNest() ? List.of(repeat()) : values();
      case 21, 22 -> values();
      case 23 -> status();
      case 24 -> facts();
      default -> others();
    };
  }

  private boolean mayRead() {
    return program.mayRead();
  }

  private int slot() {
    return slots++;
  }

  private List<Op> single() {
    int slot = slot();
    List<Op> block = new ArrayList<>();
    block.add(new Op.Start(slot, tasks.coming()));
    block.add(dice.once(4) ? new Op.AwaitFor(slot, true) : new Op.Await(slot));
    if (dice.once(4)) {
      block.add(new Op.IsDone(slot));
    }
    return block;
  }

  private List<Op> several() {
    int count = dice.between(2, 4);
    List<Op> block = new ArrayList<>();
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int slot = slot();
      chosen.add(slot);
      block.add(new Op.Start(slot, tasks.coming()));
    }
    switch (dice.below(4)) {
      case 0 -> block.add(new Op.All(chosen));
      case 1 -> dice.shuffled(chosen).forEach(slot -> block.add(new Op.Await(slot)));
      default -> {
        if (dice.once(3)) {
          int slot = slot();
          chosen.add(slot);
          block.add(new Op.Start(slot, tasks.failing()));
        }
        block.add(new Op.Join(chosen, chosen.size() < 4 && dice.coin()));
      }
    }
    return block;
  }

  /** One comes, the others never do. */
  private List<Op> select() {
    List<Op> block = new ArrayList<>();
    List<Integer> chosen = new ArrayList<>();
    List<Task> all = new ArrayList<>();
    boolean typed = dice.coin();
    all.add(!typed && dice.once(4) ? tasks.failing() : tasks.coming());
    IntStream.range(0, dice.between(1, 2)).forEach(i -> all.add(tasks.never()));
    for (Task task : dice.shuffled(all)) {
      int slot = slot();
      chosen.add(slot);
      block.add(new Op.Start(slot, task));
    }
    block.add(new Op.Select(chosen, typed));
    return block;
  }

  private List<Op> givenUp() {
    int slot = slot();
    List<Op> block = new ArrayList<>();
    boolean never = dice.coin();
    block.add(new Op.Start(slot, never ? tasks.never() : tasks.pending()));
    if (never && dice.coin()) {
      block.add(new Op.IsDone(slot));
    }
    block.add(new Op.Cancel(slot));
    if (dice.coin()) {
      block.add(new Op.IsDone(slot));
      block.add(new Op.Attempt(List.of(new Op.Await(slot))));
    }
    return block;
  }

  private List<Op> outOfTime() {
    int slot = slot();
    return List.of(new Op.Start(slot, tasks.never()), new Op.AwaitFor(slot, false));
  }

  /** Reads of one mailbox, waited for in any order, some given up. */
  private List<Op> letters() {
    String queue = queue();
    List<Op> block = new ArrayList<>();
    List<Op> then = new ArrayList<>();
    int count = dice.between(1, 4);
    program.reading(queue, count * repeated);
    for (int i = 0; i < count; i++) {
      int slot = slot();
      block.add(new Op.Start(slot, new Task.Dequeue(queue, dice.coin())));
      then.add(dice.once(5) ? new Op.Cancel(slot) : new Op.Await(slot));
    }
    block.addAll(dice.shuffled(then));
    return block;
  }

  private Op map(int failing) {
    return new Op.MapAll(dice.between(1, 5), dice.between(1, 3), failing);
  }

  private Op scope() {
    List<Task> owned = new ArrayList<>();
    IntStream.range(0, dice.between(1, 2))
        .forEach(i -> owned.add(dice.coin() ? tasks.never() : tasks.pending()));
    return new Op.Scope(owned, inner(3));
  }

  private Op saga() {
    List<Op.SagaStep> steps = new ArrayList<>();
    boolean left = dice.coin();
    for (int i = 0; i < dice.between(1, 3); i++) {
      steps.add(new Op.SagaStep(dice.coin(), dice.once(4)));
    }
    if (!left) {
      return new Op.SagaBlock(steps, Op.SagaEnd.COMMIT);
    }
    Op saga = new Op.SagaBlock(steps, dice.coin() ? Op.SagaEnd.LEAVE : Op.SagaEnd.THROW);
    return new Op.Attempt(List.of(saga));
  }

  /** Something in it fails, now and then. */
  private Op attempt() {
    List<Op> body = new ArrayList<>(inner(3));
    int slot = slot();
    switch (dice.below(5)) {
      case 0 -> body.add(new Op.Throw(dice.of(Failing.class), "thrown in an attempt"));
      case 1 -> {
        body.add(new Op.Start(slot, tasks.failing()));
        body.add(new Op.Await(slot));
      }
      case 2 -> {
        int other = slot();
        body.add(new Op.Start(slot, tasks.coming()));
        body.add(new Op.Start(other, tasks.failing()));
        body.add(new Op.All(List.of(slot, other)));
      }
      case 3 -> body.add(map(0));
      default -> {}
    }
    return new Op.Attempt(body);
  }

  private Op repeat() {
    int times = dice.between(2, 3);
    repeated *= times;
    Op repeat = new Op.Repeat(times, inner(3));
    repeated /= times;
    return repeat;
  }

  private List<Op> values() {
    List<Op> block = new ArrayList<>();
    for (int i = 0; i < dice.between(1, 3); i++) {
      block.add(value());
    }
    return block;
  }

  private Op value() {
    return switch (dice.below(branch ? 7 : 10)) {
      case 0 -> new Op.Put(key("a"), dice.below(100));
      case 1 -> new Op.PutText(key("t"), "text " + dice.below(100));
      case 2 -> new Op.Get(key("a"));
      case 3 -> new Op.GetText(key(dice.coin() ? "a" : "t"));
      case 4 -> new Op.GetWrong(key("t"));
      case 5 -> new Op.Clear(key(dice.coin() ? "a" : "t"));
      case 6 -> new Op.PruneValues(false);
      case 7 -> program.clears() ? new Op.ClearAll() : new Op.GetAll();
      case 8 -> program.clears() ? new Op.PruneValues(true) : new Op.GetAll();
      default -> new Op.GetAll();
    };
  }

  /** What clients see; only code that runs alone shows it. */
  private List<Op> status() {
    if (branch || isRepeated()) {
      return facts();
    }
    return switch (dice.below(6)) {
      case 0 -> List.of(new Op.ResetStatus(), new Op.ReadStatus());
      case 1, 2 -> List.of(new Op.SetStatus(program.newPosition(), "step"), new Op.ReadStatus());
      default ->
          program.named()
              ? List.of(new Op.Gate(program.newPosition(), dice.between(1, 3), dice.coin()))
              : List.of(new Op.ReadStatus());
    };
  }

  private List<Op> facts() {
    return List.of(
        switch (dice.below(5)) {
          case 0 -> new Op.Guid();
          case 1 -> new Op.Now();
          case 2 -> program.named() ? new Op.Identity() : new Op.Now();
          case 3 -> dice.coin() ? new Op.Log("line") : new Op.EndWhenRead();
          default -> new Op.PruneHistory(dice.between(1, 3));
        });
  }

  /** Other instances, whose ids this one chooses. */
  private List<Op> others() {
    if (!program.named() || isRepeated() || !program.mayHaveChildren()) {
      return facts();
    }
    String name = program.newName("d");
    if (dice.coin()) {
      return List.of(
          new Op.Detach(name, program.inner(name, ProgramMaker.Wanted.RESULT, true), dice.coin()));
    }
    int slot = slot();
    List<Op> block = new ArrayList<>();
    block.add(new Op.Start(slot, tasks.namedChild(ProgramMaker.Wanted.RESULT)));
    block.add(new Op.Await(slot));
    String child = program.ended().getLast();
    block.add(new Op.ReadOther(child, dice.coin() ? "a0" : "t0"));
    if (!dice.once(4)) {
      int again = slot();
      block.add(new Op.Start(again, new Task.Namesake(child)));
      block.add(new Op.Attempt(List.of(new Op.Await(again))));
    }
    return block;
  }
}
