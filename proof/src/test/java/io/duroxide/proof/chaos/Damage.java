package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.RunFacts;
import io.duroxide.provider.Provider;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One thing that must not be, planted in what a good run left.
 *
 * @param invariant which one it breaks
 * @param statements for the file
 * @param store for the opened store
 * @param log a line of a log
 */
record Damage(
    String invariant,
    List<String> statements,
    Consumer<Provider> store,
    UnaryOperator<List<Entry>> entries,
    UnaryOperator<RunFacts> facts,
    String log) {

  /** Nothing is damaged. */
  static final Damage NONE =
      new Damage(
          "nothing",
          List.of(),
          provider -> {},
          UnaryOperator.identity(),
          UnaryOperator.identity(),
          "");

  static Damage byStatements(String invariant, String... statements) {
    return new Damage(
        invariant, List.of(statements), NONE.store, NONE.entries, NONE.facts, NONE.log);
  }

  static Damage inStore(String invariant, Consumer<Provider> store) {
    return new Damage(invariant, List.of(), store, NONE.entries, NONE.facts, NONE.log);
  }

  static Damage inEntries(String invariant, UnaryOperator<List<Entry>> entries) {
    return new Damage(invariant, List.of(), NONE.store, entries, NONE.facts, NONE.log);
  }

  static Damage inFacts(String invariant, UnaryOperator<RunFacts> facts) {
    return new Damage(invariant, List.of(), NONE.store, NONE.entries, facts, NONE.log);
  }

  static Damage inLog(String invariant, String line) {
    return new Damage(invariant, List.of(), NONE.store, NONE.entries, NONE.facts, line);
  }

  @Override
  public String toString() {
    return invariant;
  }
}
