package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A future of the model: what will come of it is known from the start. */
final class ModelFuture {
  /** What code that waits for it would do for ever. */
  static final class Blocked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Blocked() {
      super("waits for ever", null, false, false);
    }
  }

  private enum State {
    PENDING,
    OBSERVED,
    GIVEN_UP
  }

  private final String kind;
  private final Source source;
  private State state = State.PENDING;
  private Supplier<String> seen = () -> "";

  /** Where a result comes from. */
  interface Source {
    /** Whether there will be a result. */
    boolean comes();

    /** Takes it, when it is observed. */
    String take();

    /** It will not be taken. */
    void withdraw();
  }

  private ModelFuture(String kind, Source source) {
    this.kind = kind;
    this.source = source;
  }

  /** Something that succeeds or fails whether or not anybody waits. */
  static ModelFuture of(String kind, Supplier<String> result) {
    return new ModelFuture(
        kind,
        new Source() {
          @Override
          public boolean comes() {
            return true;
          }

          @Override
          public String take() {
            return result.get();
          }

          @Override
          public void withdraw() {}
        });
  }

  static ModelFuture failing(String kind, ModelFailure failure) {
    return of(
        kind,
        () -> {
          throw failure;
        });
  }

  static ModelFuture never(String kind) {
    return new ModelFuture(
        kind,
        new Source() {
          @Override
          public boolean comes() {
            return false;
          }

          @Override
          public String take() {
            throw new Blocked();
          }

          @Override
          public void withdraw() {}
        });
  }

  /** Code that runs now: it succeeds, fails or waits for ever. */
  static ModelFuture branch(Supplier<String> code) {
    try {
      String result = code.get();
      return of("branch", () -> result);
    } catch (ModelFailure e) {
      return failing("branch", e);
    } catch (Blocked e) {
      return never("branch");
    }
  }

  static ModelFuture dequeue(ModelQueue queue, UnaryOperator<String> reading) {
    ModelQueue.Reader reader = queue.subscribe();
    return new ModelFuture(
        "dequeue",
        new Source() {
          @Override
          public boolean comes() {
            return queue.hasMessageFor(reader);
          }

          @Override
          public String take() {
            return reading.apply(queue.takeFor(reader));
          }

          @Override
          public void withdraw() {
            queue.withdraw(reader);
          }
        });
  }

  ModelFuture map(UnaryOperator<String> view) {
    ModelFuture original = this;
    return new ModelFuture(
        kind,
        new Source() {
          @Override
          public boolean comes() {
            return original.comes();
          }

          @Override
          public String take() {
            return view.apply(original.await());
          }

          @Override
          public void withdraw() {
            original.cancel();
          }
        });
  }

  /** Whether a wait for it ends. */
  boolean comes() {
    return settled() || source.comes();
  }

  /** Whether it is certain that a wait for it returns at once. */
  boolean settled() {
    return state != State.PENDING;
  }

  String await() {
    if (state == State.PENDING) {
      if (!source.comes()) {
        throw new Blocked();
      }
      state = State.OBSERVED;
      seen = take();
    } else if (state == State.GIVEN_UP) {
      throw ModelFailure.givenUp(kind);
    }
    return seen.get();
  }

  private Supplier<String> take() {
    try {
      String value = source.take();
      return () -> value;
    } catch (ModelFailure e) {
      return () -> {
        throw e;
      };
    }
  }

  String outcome() {
    try {
      return await();
    } catch (ModelFailure e) {
      return e.note();
    }
  }

  void cancel() {
    if (state == State.PENDING) {
      state = State.GIVEN_UP;
      source.withdraw();
    }
  }

  /** The place of the one that a select over these chooses; the others are given up. */
  static int select(List<ModelFuture> futures) {
    List<Integer> settled = new ArrayList<>();
    List<Integer> coming = new ArrayList<>();
    for (int i = 0; i < futures.size(); i++) {
      if (futures.get(i).settled()) {
        settled.add(i);
      }
      if (futures.get(i).comes()) {
        coming.add(i);
      }
    }
    if (coming.isEmpty()) {
      throw new Blocked();
    }
    if (settled.isEmpty() && coming.size() > 1) {
      throw new IllegalArgumentException("a select over several that come is free");
    }
    return settled.isEmpty() ? coming.getFirst() : settled.getFirst();
  }
}
