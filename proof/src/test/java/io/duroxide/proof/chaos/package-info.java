/** Processes that run programs on one store while faults hit them, by a plan from a seed. */
@NullMarked
package io.duroxide.proof.chaos;

import org.jspecify.annotations.NullMarked;
