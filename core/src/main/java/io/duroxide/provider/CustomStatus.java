package io.duroxide.provider;

import org.jspecify.annotations.Nullable;

/**
 * The custom status of an instance.
 *
 * @param status the text, absent after a reset
 * @param version rises by one with each commit that changed it; 0 if it was never set
 */
public record CustomStatus(@Nullable String status, long version) {}
