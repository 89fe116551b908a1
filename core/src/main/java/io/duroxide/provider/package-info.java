/**
 * The storage contract between the runtime and a store: dumb durable storage with two peek-lock
 * queues. Start at {@link io.duroxide.provider.Provider}; the rules are numbered in {@code
 * docs/provider-contract.md}.
 */
@NullMarked
package io.duroxide.provider;

import org.jspecify.annotations.NullMarked;
