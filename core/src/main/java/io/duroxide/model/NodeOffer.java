package io.duroxide.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a node can run, as it tells the store.
 *
 * @param replays framework versions whose executions it replays; none for a node without turns
 * @param orchestrations the versions it has registered, by name
 * @param activities the names it has registered; none for a node without workers
 * @param untagged whether it serves activities without a tag
 * @param tags the tags it serves; null for any
 */
public record NodeOffer(
    List<SemverRange> replays,
    SortedMap<String, SortedSet<String>> orchestrations,
    SortedSet<String> activities,
    boolean untagged,
    @Nullable SortedSet<String> tags) {
  public NodeOffer {
    replays = List.copyOf(replays);
    TreeMap<String, SortedSet<String>> copy = new TreeMap<>();
    orchestrations.forEach((name, versions) -> copy.put(name, sorted(versions)));
    orchestrations = Collections.unmodifiableSortedMap(copy);
    activities = sorted(activities);
    tags = tags == null ? null : sorted(tags);
  }

  /** From collections in any order. */
  public static NodeOffer of(
      List<SemverRange> replays,
      Map<String, ? extends Set<String>> orchestrations,
      Set<String> activities,
      boolean untagged,
      @Nullable Set<String> tags) {
    TreeMap<String, SortedSet<String>> sorted = new TreeMap<>();
    orchestrations.forEach((name, versions) -> sorted.put(name, sorted(versions)));
    return new NodeOffer(
        replays, sorted, sorted(activities), untagged, tags == null ? null : sorted(tags));
  }

  private static SortedSet<String> sorted(Set<String> texts) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(texts));
  }

  /** Whether it replays executions pinned to {@code pin}; null for no pin. */
  public boolean replays(@Nullable Semver pin) {
    return pin == null
        ? !replays.isEmpty()
        : replays.stream().anyMatch(range -> range.contains(pin));
  }

  /** Whether it has the code; a version that is null or the placeholder asks for the name alone. */
  public boolean has(String orchestration, @Nullable String version) {
    Set<String> versions = versions(orchestration);
    boolean any = version == null || version.equals(Semver.PLACEHOLDER);
    return any ? !versions.isEmpty() : versions.contains(version);
  }

  /** The registered versions of an orchestration; none if it is not registered. */
  public Set<String> versions(String orchestration) {
    Set<String> versions = orchestrations.get(orchestration);
    return versions == null ? Set.of() : versions;
  }

  /** Whether it serves activities with {@code tag}; null for none. */
  public boolean serves(@Nullable String tag) {
    return tag == null ? untagged : tags == null || tags.contains(tag);
  }

  /** Every registered orchestration with its version. */
  public List<Map.Entry<String, String>> versions() {
    List<Map.Entry<String, String>> all = new ArrayList<>();
    orchestrations.forEach(
        (name, versions) -> versions.forEach(version -> all.add(Map.entry(name, version))));
    return all;
  }
}
