package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;

/** Makes the tasks of one frame, by what is certain of them. */
final class TaskMaker {
  private static final int SHORT = 4;

  private final BodyMaker frame;
  private final ProgramMaker program;
  private final Dice dice;

  TaskMaker(BodyMaker frame, ProgramMaker program, Dice dice) {
    this.frame = frame;
    this.program = program;
    this.dice = dice;
  }

  /** One that succeeds. */
  Task coming() {
    return switch (dice.below(20)) {
      case 0, 1, 2, 3, 4, 5 -> new Task.Echo(call());
      case 6 -> new Task.Flaky(dice.below(3), 3, dice.of(Task.Pause.class));
      case 7 -> new Task.Slow(dice.below(SHORT));
      case 8, 9 -> new Task.Timer(dice.below(SHORT));
      case 10, 11 -> new Task.Signalled(dice.coin());
      case 12 -> new Task.ReadNothing();
      case 13, 14 -> child(ProgramMaker.Wanted.RESULT);
      case 15, 16, 17 -> branch(false);
      default -> new Task.Mapped(new Task.Echo(call()));
    };
  }

  /** Sessions stay with a node for long, so few calls have one. */
  private Task.Call call() {
    Task.Call call = dice.of(Task.Call.class);
    return call == Task.Call.SESSION && !dice.once(4) ? Task.Call.NAMED : call;
  }

  /** One that fails. */
  Task failing() {
    return switch (dice.below(10)) {
      case 0, 1, 2 -> new Task.Broken(dice.of(Failing.class));
      case 3, 4 -> new Task.Flaky(3, dice.between(1, 3), dice.of(Task.Pause.class));
      case 5 -> dice.once(3) ? new Task.Stay(true) : new Task.Broken(Failing.TYPED);
      case 6, 7 -> branch(true);
      default -> child(ProgramMaker.Wanted.FAILURE);
    };
  }

  /** One that never ends by itself. */
  Task never() {
    return switch (dice.below(12)) {
      case 0, 1, 2 -> new Task.NeverEvent();
      case 3, 4, 5 -> new Task.NeverMail();
      case 6, 7 -> new Task.FarTimer();
      case 8 -> dice.once(3) ? new Task.Stay(false) : new Task.FarTimer();
      case 9, 10 ->
          new Task.Branch(
              List.of(
                  new Op.PutText(frame.key("t"), "by a branch"),
                  new Op.Start(0, new Task.NeverEvent()),
                  new Op.Await(0)));
      default -> child(ProgramMaker.Wanted.NEVER);
    };
  }

  /** One without effects, so that it does not matter how far it came when it is given up. */
  Task pending() {
    return switch (dice.below(4)) {
      case 0 -> new Task.Timer(dice.between(1, SHORT));
      case 1 -> new Task.Slow(dice.between(1, SHORT));
      case 2 -> new Task.Mapped(new Task.Echo(Task.Call.NAMED));
      default -> new Task.Echo(call());
    };
  }

  private Task branch(boolean fails) {
    if (!frame.mayNest()) {
      return fails ? new Task.Broken(Failing.DELIBERATE) : new Task.Echo(Task.Call.TYPED);
    }
    List<Op> body = new ArrayList<>(frame.beside().body(dice.between(1, 4)));
    if (fails) {
      body.add(new Op.Throw(dice.of(Failing.class), "thrown in a branch"));
    }
    return new Task.Branch(body);
  }

  private Task child(ProgramMaker.Wanted wanted) {
    if (!program.mayHaveChildren() || !frame.mayNest()) {
      return switch (wanted) {
        case RESULT -> new Task.Echo(Task.Call.TYPED);
        case FAILURE -> new Task.Broken(Failing.TYPED);
        case NEVER -> new Task.NeverEvent();
      };
    }
    if (program.named() && !frame.isRepeated() && dice.coin()) {
      return namedChild(wanted);
    }
    return new Task.Child(null, program.inner("child", wanted, false), dice.coin());
  }

  Task namedChild(ProgramMaker.Wanted wanted) {
    String name = program.newName("c");
    Task child = new Task.Child(name, program.inner(name, wanted, true), dice.coin());
    if (wanted == ProgramMaker.Wanted.RESULT) {
      program.hasEnded(name);
    }
    return child;
  }

  /** Several that come; a run writes down which was first. */
  Op race() {
    List<Task> all = new ArrayList<>();
    for (int i = 0; i < dice.between(2, 3); i++) {
      all.add(
          switch (dice.below(4)) {
            case 0 -> new Task.Timer(dice.below(SHORT));
            case 1 -> new Task.Slow(dice.below(SHORT));
            case 2 -> mail();
            default -> new Task.Echo(Task.Call.NAMED);
          });
    }
    return new Op.Race(all);
  }

  private Task mail() {
    String queue = frame.queue();
    program.reading(queue, frame.repeated());
    return new Task.Dequeue(queue, dice.coin());
  }
}
