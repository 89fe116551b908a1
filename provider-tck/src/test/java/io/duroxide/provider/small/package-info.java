/**
 * A provider with the required methods alone, written from {@code docs/provider-contract.md}.
 *
 * <p>Everything is kept in memory, under one lock.
 */
@NullMarked
package io.duroxide.provider.small;

import org.jspecify.annotations.NullMarked;
