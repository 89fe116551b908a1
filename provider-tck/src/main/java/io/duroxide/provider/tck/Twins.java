package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Two stores on one clock that are told the same: the in-memory provider, which is the contract as
 * readable code, and the one under test. Each operation returns what both answered, side by side.
 */
record Twins(Provider model, Provider subject) {

  /** What both stores handed out. */
  record Held<T>(T model, T subject) {}

  /** What both stores answered; a refusal is its kind. */
  record Answers(Object model, Object subject) {
    static final Answers NONE = new Answers("none", "none");

    boolean differ() {
      return !model.equals(subject);
    }

    Answers and(Answers then) {
      return new Answers(List.of(model, then.model), List.of(subject, then.subject));
    }
  }

  /** An operation of one store. */
  @FunctionalInterface
  interface Call {
    Object on(Provider store) throws InterruptedException;
  }

  /** An operation of one store that answers nothing. */
  @FunctionalInterface
  interface Command {
    void on(Provider store);
  }

  /** An operation of one store with what it handed out. */
  @FunctionalInterface
  interface HeldCall<T> {
    Object on(Provider store, T held);
  }

  /** An operation of one store with what it handed out, that answers nothing. */
  @FunctionalInterface
  interface HeldCommand<T> {
    void on(Provider store, T held);
  }

  Answers both(Call call) {
    return new Answers(refusable(() -> call.on(model)), refusable(() -> call.on(subject)));
  }

  Answers tell(Command command) {
    return both(store -> {
      command.on(store);
      return "done";
    });
  }

  <T> Answers both(Held<T> held, HeldCall<T> call) {
    return new Answers(
        refusable(() -> call.on(model, held.model())),
        refusable(() -> call.on(subject, held.subject())));
  }

  <T> Answers tell(Held<T> held, HeldCommand<T> command) {
    return both(
        held,
        (store, one) -> {
          command.on(store, one);
          return "done";
        });
  }

  static Object refusable(Callable<Object> call) {
    try {
      return call.call();
    } catch (ProviderException refusal) {
      return refusal.kind();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static ProviderAdmin admin(Provider store) {
    return store.management().orElseThrow();
  }

  void close() {
    model.close();
    subject.close();
  }
}
