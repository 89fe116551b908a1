/**
 * The process that runs orchestrations and activities: dispatchers, locks, the execution cache,
 * shutdown. Start at {@link io.duroxide.runtime.DuroxideRuntime}.
 */
@NullMarked
package io.duroxide.runtime;

import org.jspecify.annotations.NullMarked;
