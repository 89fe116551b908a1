package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;

/** All operations of a program, those of its branches, children and what it starts included. */
final class ProgramWalk {
  private final List<Record> found = new ArrayList<>();

  private ProgramWalk() {}

  /** Each {@link Op}, {@link Task} and {@link End} in it. */
  static List<Record> operations(Program program) {
    ProgramWalk walk = new ProgramWalk();
    walk.program(program);
    return walk.found;
  }

  private void program(Program program) {
    for (Program.Part part : program.parts()) {
      body(part.body());
      found.add((Record) part.end());
    }
  }

  private void body(List<Op> body) {
    for (Op op : body) {
      found.add((Record) op);
      switch (op) {
        case Op.Start start -> task(start.task());
        case Op.Race race -> race.tasks().forEach(this::task);
        case Op.Scope scope -> {
          scope.owned().forEach(this::task);
          body(scope.body());
        }
        case Op.Attempt attempt -> body(attempt.body());
        case Op.Repeat repeat -> body(repeat.body());
        case Op.Detach detach -> program(detach.program());
        default -> {}
      }
    }
  }

  private void task(Task task) {
    found.add((Record) task);
    switch (task) {
      case Task.Branch branch -> body(branch.body());
      case Task.Mapped mapped -> task(mapped.task());
      case Task.Child child -> program(child.program());
      default -> {}
    }
  }
}
