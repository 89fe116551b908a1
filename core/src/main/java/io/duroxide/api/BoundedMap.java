package io.duroxide.api;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A parallel map with a bound: {@code parallelism} branches each take the next element until none
 * is left. Which branch takes an element follows from history order, so it is the same on replay.
 * All elements run even if one fails; then the first failure in element order counts.
 */
final class BoundedMap<T, R> {
  private final OrchestrationContext context;
  private final List<T> elements;
  private final BranchFunction<T, R> function;
  private final List<@Nullable Outcome<R>> outcomes;
  private int next;

  BoundedMap(OrchestrationContext context, List<T> elements, BranchFunction<T, R> function) {
    this.context = context;
    this.elements = List.copyOf(elements);
    this.function = function;
    this.outcomes = new ArrayList<>(Collections.nCopies(elements.size(), null));
  }

  List<R> run(int parallelism) {
    if (parallelism < 1) {
      throw new IllegalArgumentException("parallelism must be at least 1, not " + parallelism);
    }
    List<DurableFuture<Integer>> lanes = new ArrayList<>();
    for (int i = 0; i < Math.min(parallelism, elements.size()); i++) {
      lanes.add(context.async(this::lane));
    }
    context.all(lanes);
    List<R> results = new ArrayList<>(elements.size());
    for (Outcome<R> outcome : outcomes) {
      if (outcome != null) {
        results.add(outcome.value());
      }
    }
    return results;
  }

  private int lane(OrchestrationContext branch) {
    int done = 0;
    while (next < elements.size()) {
      int index = next++;
      outcomes.set(index, attempt(branch, elements.get(index)));
      done++;
    }
    return done;
  }

  private Outcome<R> attempt(OrchestrationContext branch, T element) {
    try {
      return new Outcome.Success<>(function.apply(branch, element));
    } catch (RuntimeException e) {
      return new Outcome.Failure<>(e);
    } catch (Exception e) {
      return new Outcome.Failure<>(new CompletionException(e));
    }
  }
}
