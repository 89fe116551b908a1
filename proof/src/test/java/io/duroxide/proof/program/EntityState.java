package io.duroxide.proof.program;

import io.duroxide.api.DataConverter;
import io.duroxide.api.KeyValueStore;
import io.duroxide.api.TypeRef;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an entity knows, as it stands in its values and in its result.
 *
 * @param sums by key
 * @param last the newest command of each sender that was applied
 * @param chains all amounts of a sender folded in the order in which they were applied
 * @param applied how many commands were applied
 * @param repeated how many commands came again and were not applied again
 * @param gaps how many commands came before one that was sent earlier
 */
public record EntityState(
    Map<String, Long> sums,
    Map<String, Long> last,
    Map<String, Long> chains,
    long applied,
    long repeated,
    long gaps) {
  private static final TypeRef<EntityState> TYPE = TypeRef.of(EntityState.class);
  private static final String SUM = "sum.";
  private static final String LAST = "last.";
  private static final String CHAIN = "chain.";
  private static final String APPLIED = "applied";
  private static final String REPEATED = "repeated";
  private static final String GAPS = "gaps";
  private static final int FOLD = 31;

  public EntityState {
    sums = new TreeMap<>(sums);
    last = new TreeMap<>(last);
    chains = new TreeMap<>(chains);
  }

  static EntityState empty() {
    return new EntityState(Map.of(), Map.of(), Map.of(), 0, 0, 0);
  }

  public static EntityState fromJson(String json) {
    return DataConverter.json().decode(json, TYPE);
  }

  public String toJson() {
    return DataConverter.json().encode(this);
  }

  /** What a command makes of a chain. */
  static long chained(long chain, Command command) {
    return chain * FOLD + command.amount() + command.key().hashCode() + command.sequence();
  }

  /** The state that the values of an entity hold. */
  static EntityState read(KeyValueStore values) {
    return new EntityState(
        group(values, SUM),
        group(values, LAST),
        group(values, CHAIN),
        number(values, APPLIED),
        number(values, REPEATED),
        number(values, GAPS));
  }

  private static Map<String, Long> group(KeyValueStore values, String prefix) {
    Map<String, Long> found = new TreeMap<>();
    for (String key : values.keys()) {
      if (key.startsWith(prefix)) {
        found.put(key.substring(prefix.length()), number(values, key));
      }
    }
    return found;
  }

  private static long number(KeyValueStore values, String key) {
    return values.get(key, Long.class).orElse(0L);
  }

  /** Applies a command to the values of an entity, once. */
  static void apply(KeyValueStore values, Command command) {
    long last = number(values, LAST + command.sender());
    if (command.sequence() <= last) {
      values.put(REPEATED, number(values, REPEATED) + 1);
      return;
    }
    if (command.sequence() > last + 1) {
      values.put(GAPS, number(values, GAPS) + 1);
    }
    String chain = CHAIN + command.sender();
    values.put(LAST + command.sender(), command.sequence());
    values.put(chain, chained(number(values, chain), command));
    values.put(APPLIED, number(values, APPLIED) + 1);
    if (command.kind() == Command.Kind.ADD) {
      String sum = SUM + command.key();
      values.put(sum, number(values, sum) + command.amount());
    }
  }
}
