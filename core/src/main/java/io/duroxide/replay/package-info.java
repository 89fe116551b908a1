/**
 * One turn as a function: what is recorded and what arrived go in, what happens next comes out.
 * Start at {@link io.duroxide.replay.Execution}. Hidden from users; the only threads are in {@code
 * Coroutine}.
 */
@NullMarked
package io.duroxide.replay;

import org.jspecify.annotations.NullMarked;
