package io.duroxide.runtime;

import io.duroxide.model.ParentLink;
import org.jspecify.annotations.Nullable;

/**
 * What an instance runs.
 *
 * @param name the orchestration
 * @param version the version its current execution runs
 * @param parent who asked for it; null for a root
 */
public record OrchestrationDescriptor(String name, String version, @Nullable ParentLink parent) {}
