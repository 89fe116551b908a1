package io.duroxide.proof.chaos;

import io.duroxide.api.DataConverter;
import io.duroxide.api.TypeRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A run: with the sources it says everything but the scheduling.
 *
 * @param nodes processes that run programs, each of which is a client too unless its heap runs
 *     short
 * @param clients processes that only call; at least one if heaps run short
 * @param faults how many of each kind
 */
public record ChaosSettings(
    long seed, StoreKind store, int nodes, int clients, Load load, Map<FaultKind, Integer> faults) {
  private static final TypeRef<ChaosSettings> TYPE = TypeRef.of(ChaosSettings.class);

  public ChaosSettings {
    faults = new TreeMap<>(faults);
  }

  /**
   * What clients ask for.
   *
   * @param programs their numbers
   * @param entities their numbers
   * @param contests how many ids all clients try to start as new ones
   * @param millis over how long all of it is spread
   * @param trueLocks whether nodes with default options keep locks for as long as the default says
   */
  public record Load(
      List<Integer> programs,
      List<Integer> entities,
      int contests,
      long millis,
      boolean trueLocks) {
    public Load {
      programs = List.copyOf(programs);
      entities = List.copyOf(entities);
    }

    /** The first programs and entities of a seed. */
    public static Load of(int programs, int entities, int contests, long millis) {
      return new Load(numbers(programs), numbers(entities), contests, millis, false);
    }

    private static List<Integer> numbers(int count) {
      return IntStream.range(0, count).boxed().toList();
    }
  }

  /** How many processes there are. */
  public int processes() {
    return nodes + clients;
  }

  /**
   * Whether the heap of nodes runs short. The code of a client would end in the middle of a script
   * then, so such nodes make no calls.
   */
  boolean isShortOfHeap() {
    return count(FaultKind.HEAP) > 0;
  }

  /** Which process makes the n-th of all scripts of calls. */
  int caller(int number) {
    return isShortOfHeap() ? nodes + number % clients : number % processes();
  }

  boolean isCaller(int slot) {
    return slot >= nodes || !isShortOfHeap();
  }

  public int count(FaultKind kind) {
    return faults.getOrDefault(kind, 0);
  }

  public String toJson() {
    return DataConverter.json().encodeJson(this);
  }

  public static ChaosSettings fromJson(String json) {
    return DataConverter.json().decodeJson(json, TYPE);
  }

  // What a shrinker leaves out

  ChaosSettings without(FaultKind kind) {
    Map<FaultKind, Integer> fewer = new TreeMap<>(faults);
    fewer.remove(kind);
    return new ChaosSettings(seed, store, nodes, clients, load, fewer);
  }

  ChaosSettings withFewer(FaultKind kind) {
    Map<FaultKind, Integer> fewer = new TreeMap<>(faults);
    fewer.computeIfPresent(kind, (k, count) -> Math.max(1, count / 2));
    return new ChaosSettings(seed, store, nodes, clients, load, fewer);
  }

  ChaosSettings withNodes(int newNodes) {
    return new ChaosSettings(seed, store, newNodes, clients, load, faults);
  }

  ChaosSettings withClients(int newClients) {
    return new ChaosSettings(seed, store, nodes, newClients, load, faults);
  }

  ChaosSettings withLoad(List<Integer> programs, List<Integer> entities, int contests) {
    Load smaller =
        new Load(
            new ArrayList<>(programs),
            new ArrayList<>(entities),
            contests,
            load.millis(),
            load.trueLocks());
    return new ChaosSettings(seed, store, nodes, clients, smaller, faults);
  }
}
