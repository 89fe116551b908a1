package io.duroxide.provider;

/** Name and version of an orchestration; the version is {@code unknown} if none is stored. */
public record OrchestrationIdentity(String name, String version) {}
