package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrchestrationIdentity;
import org.jspecify.annotations.Nullable;

/**
 * What a fetch must know of an instance to choose and to present it.
 *
 * @param orchestration its name and version; null before a commit named it
 * @param pin the framework version its current execution is pinned to
 * @param hasValues whether it ever had key-value entries
 */
record Face(
    @Nullable OrchestrationIdentity orchestration, @Nullable String pin, boolean hasValues) {
  static final Face NONE = new Face(null, null, false);
}
