package io.duroxide.replay;

import io.duroxide.model.ExecutionKey;

/**
 * Which execution runs which code.
 *
 * @param name the orchestration's name
 * @param version the version of {@code code}
 */
public record ExecutionSetup(
    ExecutionKey key, String name, String version, OrchestrationCode code, EngineOptions options) {}
