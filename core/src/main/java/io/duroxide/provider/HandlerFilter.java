package io.duroxide.provider;

import io.duroxide.model.Semver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrations a node has registered.
 *
 * @param versions the registered versions of each name
 */
public record HandlerFilter(Map<String, Set<String>> versions) {
  public HandlerFilter {
    Map<String, Set<String>> copy = new LinkedHashMap<>();
    versions.forEach((name, set) -> copy.put(name, Set.copyOf(set)));
    versions = Map.copyOf(copy);
  }

  /** A version that is null or the placeholder asks for the name alone. */
  public boolean admits(String orchestration, @Nullable String version) {
    Set<String> registered = versions.get(orchestration);
    if (registered == null) {
      return false;
    }
    return version == null || version.equals(Semver.PLACEHOLDER) || registered.contains(version);
  }
}
