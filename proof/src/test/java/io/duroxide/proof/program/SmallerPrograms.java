package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Programs that are a little smaller than another one, those with the most left out first. */
final class SmallerPrograms {
  private SmallerPrograms() {}

  static List<Program> of(Program program) {
    List<Program> all = new ArrayList<>();
    List<Program.Part> parts = program.parts();
    for (int i = 0; parts.size() > 1 && i < parts.size(); i++) {
      all.add(program.withParts(ended(without(parts, i, 1))));
    }
    for (int i = 0; i < parts.size(); i++) {
      End end = parts.get(i).end();
      int place = i;
      bodies(parts.get(i).body())
          .forEach(body ->
              all.add(program.withParts(with(parts, place, List.of(new Program.Part(body, end))))));
    }
    Program.Part last = parts.getLast();
    if (!(last.end() instanceof End.Return)) {
      all.add(program.withParts(ended(parts)));
    }
    if (program.version() != null) {
      all.add(program.withVersion(null));
    }
    return all;
  }

  /** The last part returns. */
  private static List<Program.Part> ended(List<Program.Part> parts) {
    return with(
        parts,
        parts.size() - 1,
        List.of(new Program.Part(parts.getLast().body(), new End.Return())));
  }

  private static <T> List<T> with(List<T> list, int place, List<T> replacement) {
    List<T> changed = new ArrayList<>(list.subList(0, place));
    changed.addAll(replacement);
    changed.addAll(list.subList(place + 1, list.size()));
    return changed;
  }

  private static <T> List<T> without(List<T> list, int from, int count) {
    List<T> rest = new ArrayList<>(list.subList(0, from));
    rest.addAll(list.subList(from + count, list.size()));
    return rest;
  }

  /** Runs of statements left out, long ones first; then single ones made simpler. */
  private static List<List<Op>> bodies(List<Op> body) {
    List<List<Op>> all = new ArrayList<>();
    for (int count = body.size(); count >= 1; count = count == 1 ? 0 : (count + 1) / 2) {
      for (int from = 0; from + count <= body.size(); from += Math.max(1, count / 2)) {
        all.add(without(body, from, count));
      }
    }
    for (int i = 0; i < body.size(); i++) {
      for (List<Op> simpler : simpler(body.get(i))) {
        all.add(with(body, i, simpler));
      }
    }
    return all;
  }

  private static List<List<Op>> simpler(Op op) {
    List<List<Op>> all = new ArrayList<>();
    switch (op) {
      case Op.Start(int slot, Task task) ->
          tasks(task).forEach(smaller -> all.add(List.of(new Op.Start(slot, smaller))));
      case Op.Attempt(List<Op> body) -> nested(all, body, Op.Attempt::new);
      case Op.Repeat(int times, List<Op> body) ->
          nested(all, body, smaller -> new Op.Repeat(times, smaller));
      case Op.Scope(List<Task> owned, List<Op> body) -> {
        nested(all, body, smaller -> new Op.Scope(owned, smaller));
        for (int i = 0; i < owned.size(); i++) {
          all.add(List.of(new Op.Scope(without(owned, i, 1), body)));
        }
      }
      case Op.Detach(String name, Program program, boolean typed) ->
          SmallerPrograms.of(program)
              .forEach(smaller -> all.add(List.of(new Op.Detach(name, smaller, typed))));
      case Op.SagaBlock(List<Op.SagaStep> steps, Op.SagaEnd end) -> {
        for (int i = 0; i < steps.size(); i++) {
          all.add(List.of(new Op.SagaBlock(without(steps, i, 1), end)));
        }
      }
      case Op.Race(List<Task> tasks) -> {
        for (int i = 0; tasks.size() > 1 && i < tasks.size(); i++) {
          all.add(List.of(new Op.Race(without(tasks, i, 1))));
        }
      }
      default -> {}
    }
    return all;
  }

  private static void nested(List<List<Op>> all, List<Op> body, Function<List<Op>, Op> around) {
    all.add(body);
    bodies(body).forEach(smaller -> all.add(List.of(around.apply(smaller))));
  }

  private static List<Task> tasks(Task task) {
    return switch (task) {
      case Task.Branch(List<Op> body) -> bodies(body).stream().<Task>map(Task.Branch::new).toList();
      case Task.Mapped(Task mapped) -> List.of(mapped);
      case Task.Child(String name, Program program, boolean typed) ->
          SmallerPrograms.of(program).stream()
              .<Task>map(smaller -> new Task.Child(name, smaller, typed))
              .toList();
      default -> List.of();
    };
  }
}
