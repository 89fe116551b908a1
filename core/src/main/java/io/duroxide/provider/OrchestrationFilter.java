package io.duroxide.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which orchestrations.
 *
 * @param name the name, or how it begins
 * @param isPrefix whether {@code name} is only the beginning
 * @param version the exact version; null for any
 */
public record OrchestrationFilter(String name, boolean isPrefix, @Nullable String version) {
  /** Every orchestration. */
  public static final OrchestrationFilter ANY = new OrchestrationFilter("", true, null);

  public OrchestrationFilter {
    Objects.requireNonNull(name, "name");
  }

  public static OrchestrationFilter named(String name) {
    return new OrchestrationFilter(name, false, null);
  }

  public static OrchestrationFilter namePrefix(String prefix) {
    return new OrchestrationFilter(prefix, true, null);
  }

  public OrchestrationFilter withVersion(@Nullable String newVersion) {
    return new OrchestrationFilter(name, isPrefix, newVersion);
  }

  public boolean admits(OrchestrationIdentity orchestration) {
    boolean named =
        isPrefix ? orchestration.name().startsWith(name) : orchestration.name().equals(name);
    return named && (version == null || version.equals(orchestration.version()));
  }
}
