/**
 * The storage contract as readable code: everything in memory, nothing survives the process. For
 * first steps, tests and simulation, and the oracle the other stores are compared with. Start at
 * {@link io.duroxide.provider.memory.MemoryProvider}.
 */
@NullMarked
package io.duroxide.provider.memory;

import org.jspecify.annotations.NullMarked;
