package io.duroxide.replay;

import io.duroxide.replay.Program.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes a failing case smaller as long as it fails. */
final class Shrinker {
  private static final int MAX_ATTEMPTS = 20_000;

  /** A program and what happens to it. */
  record Case(Program program, Schedule schedule) {}

  /** Says what is wrong with a case; null if nothing is. */
  interface Check extends BiFunction<Program, Schedule, @Nullable String> {}

  private final Check check;
  private int attempts;

  Shrinker(Check check) {
    this.check = check;
  }

  Case shrink(Case failing) {
    Case best = failing;
    boolean smaller = true;
    while (smaller && attempts < MAX_ATTEMPTS) {
      smaller = false;
      for (Case candidate : candidates(best)) {
        if (++attempts > MAX_ATTEMPTS) {
          break;
        }
        if (check.apply(candidate.program(), candidate.schedule()) != null) {
          best = candidate;
          smaller = true;
          break;
        }
      }
    }
    return best;
  }

  private static List<Case> candidates(Case from) {
    List<Case> all = new ArrayList<>();
    for (List<Step> steps : bodies(from.program().steps())) {
      all.add(new Case(new Program(steps), from.schedule()));
    }
    for (List<Schedule.Batch> batches : without(from.schedule().batches())) {
      all.add(new Case(from.program(), new Schedule(batches)));
    }
    for (int i = 0; i < from.schedule().batches().size(); i++) {
      for (Schedule.Batch batch : smaller(from.schedule().batches().get(i))) {
        List<Schedule.Batch> batches = new ArrayList<>(from.schedule().batches());
        batches.set(i, batch);
        all.add(new Case(from.program(), new Schedule(batches)));
      }
    }
    return all;
  }

  /** The list with halves, then single elements left out. */
  private static <T> List<List<T>> without(List<T> list) {
    List<List<T>> all = new ArrayList<>();
    for (int size = list.size() / 2; size >= 1; size /= 2) {
      for (int from = 0; from + size <= list.size(); from += size) {
        List<T> rest = new ArrayList<>(list.subList(0, from));
        rest.addAll(list.subList(from + size, list.size()));
        all.add(rest);
      }
    }
    if (list.size() == 1) {
      all.add(List.of());
    }
    return all;
  }

  private static List<Schedule.Batch> smaller(Schedule.Batch batch) {
    List<Schedule.Batch> all = new ArrayList<>();
    for (List<Schedule.Signal> signals : without(batch.signals())) {
      all.add(new Schedule.Batch(signals, batch.node(), batch.evict()));
    }
    if (batch.evict()) {
      all.add(new Schedule.Batch(batch.signals(), batch.node(), false));
    }
    if (batch.node() > 0) {
      all.add(new Schedule.Batch(batch.signals(), 0, batch.evict()));
    }
    return all;
  }

  private static List<List<Step>> bodies(List<Step> steps) {
    List<List<Step>> all = new ArrayList<>(without(steps));
    for (int i = 0; i < steps.size(); i++) {
      for (List<Step> replacement : simpler(steps.get(i))) {
        List<Step> changed = new ArrayList<>(steps.subList(0, i));
        changed.addAll(replacement);
        changed.addAll(steps.subList(i + 1, steps.size()));
        all.add(changed);
      }
    }
    return all;
  }

  private static List<List<Step>> simpler(Step step) {
    List<List<Step>> all = new ArrayList<>();
    switch (step) {
      case Program.Scope(List<Step> body) -> {
        all.add(body);
        bodies(body).forEach(smaller -> all.add(List.of(new Program.Scope(smaller))));
      }
      case Program.Loop(int times, List<Step> body) -> {
        all.add(body);
        if (times > 1) {
          all.add(List.of(new Program.Loop(times - 1, body)));
        }
        bodies(body).forEach(smaller -> all.add(List.of(new Program.Loop(times, smaller))));
      }
      case Program.Start(int slot, Program.Branch(List<Step> body)) -> {
        all.add(body);
        bodies(body)
            .forEach(
                smaller -> all.add(List.of(new Program.Start(slot, new Program.Branch(smaller)))));
      }
      case Program.Start(int slot, Program.Mapped(Program.Op op)) ->
          all.add(List.of(new Program.Start(slot, op)));
      case Program.MapAll(int elements, int bound, Program.Op op) -> {
        all.add(List.of(new Program.Start(0, op), new Program.Await(0)));
        if (elements > 1) {
          all.add(List.of(new Program.MapAll(elements - 1, bound, op)));
        }
        if (bound > 1) {
          all.add(List.of(new Program.MapAll(elements, bound - 1, op)));
        }
      }
      case Program.Select(List<Integer> slots) ->
          without(slots).forEach(fewer -> all.add(List.of(new Program.Select(fewer))));
      case Program.Join(List<Integer> slots) ->
          without(slots).forEach(fewer -> all.add(List.of(new Program.Join(fewer))));
      default -> {}
    }
    return all;
  }
}
