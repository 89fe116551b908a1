package io.duroxide.replay;

import io.duroxide.replay.Program.Op;
import io.duroxide.replay.Program.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes random programs; calm ones are free of races, so that batches cannot change their result.
 */
final class ProgramMaker {
  private static final int SLOTS = 4;
  private static final int MAX_DEPTH = 3;

  private final Random random;
  private final boolean calm;
  private int branchDepth;

  ProgramMaker(Random random, boolean calm) {
    this.random = random;
    this.calm = calm;
  }

  Program program() {
    List<Step> steps = new ArrayList<>();
    if (calm) {
      // An event that comes before its wait is bound is lost: calm code waits from the first turn.
      for (int i = 0; i < random.nextInt(3); i++) {
        steps.add(new Program.Start(random.nextInt(SLOTS), new Program.Wait(name("e"))));
      }
    }
    steps.addAll(body(0, 2 + random.nextInt(9)));
    steps.add(new Program.End(end()));
    return new Program(steps);
  }

  private Program.How end() {
    return switch (random.nextInt(8)) {
      case 0 -> Program.How.FAIL;
      case 1 -> Program.How.PANIC;
      case 2, 3 -> Program.How.CONTINUE;
      default -> Program.How.RETURN;
    };
  }

  private List<Step> body(int depth, int length) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      steps.add(calm ? calmStep(depth) : step(depth));
    }
    if (depth > 0 && random.nextInt(12) == 0) {
      Program.How how = end();
      steps.add(new Program.End(calm && how == Program.How.CONTINUE ? Program.How.FAIL : how));
    }
    return steps;
  }

  private Step step(int depth) {
    return switch (random.nextInt(21)) {
      case 0, 1, 2, 3, 4, 5 -> new Program.Start(slot(), op(depth));
      case 6, 7, 8 -> new Program.Await(slot());
      case 9 -> new Program.AwaitFor(slot());
      case 10 -> new Program.IsDone(slot());
      case 11, 12 -> new Program.Cancel(slot());
      case 13, 14 -> new Program.Select(slots());
      case 15 -> new Program.Join(slots());
      case 16 -> depth < MAX_DEPTH ? new Program.Scope(inner(depth)) : effect();
      default -> calmOrEffect(depth);
    };
  }

  private Step calmStep(int depth) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> new Program.Start(slot(), op(depth));
      case 4, 5, 6 -> new Program.Await(slot());
      case 7 -> new Program.Join(slots());
      default -> calmOrEffect(depth);
    };
  }

  private Step calmOrEffect(int depth) {
    if (depth < MAX_DEPTH && random.nextInt(6) == 0) {
      return random.nextBoolean()
          ? new Program.Loop(2 + random.nextInt(2), inner(depth))
          : new Program.MapAll(1 + random.nextInt(4), 1 + random.nextInt(3), op(depth + 1));
    }
    return effect();
  }

  private Step effect() {
    Program.What[] all = Program.What.values();
    return new Program.Effect(all[random.nextInt(all.length)], random.nextInt(3));
  }

  private List<Step> inner(int depth) {
    return body(depth + 1, 1 + random.nextInt(4));
  }

  private Op op(int depth) {
    return switch (random.nextInt(calm ? 13 : 15)) {
      case 0, 1, 2 -> new Program.Activity(random.nextInt(4) == 0);
      case 3 -> new Program.Timer();
      case 4, 5 ->
          // Which of two branches asks a queue first is a race.
          calm && branchDepth > 0 ? new Program.Timer() : new Program.Dequeue(name("q"));
      case 6 -> new Program.Child(random.nextInt(3) == 0);
      case 7 -> new Program.ReadKv();
      case 8 ->
          new Program.Retry(
              1 + random.nextInt(3), random.nextBoolean(), !calm && random.nextBoolean());
      case 9 -> new Program.Mapped(op(depth));
      case 10, 11, 12 -> depth < MAX_DEPTH ? branch(depth) : new Program.Activity(false);
      default -> new Program.Wait(name("e"));
    };
  }

  private Op branch(int depth) {
    branchDepth++;
    Op branch = new Program.Branch(inner(depth));
    branchDepth--;
    return branch;
  }

  private int slot() {
    return random.nextInt(SLOTS);
  }

  private List<Integer> slots() {
    List<Integer> slots = new ArrayList<>();
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      slots.add(slot());
    }
    return List.copyOf(slots);
  }

  private String name(String prefix) {
    return prefix + random.nextInt(2);
  }
}
