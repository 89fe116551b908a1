/** The standard workloads, on every store and beside others. */
@NullMarked
package io.duroxide.benchmarks.workloads;

import org.jspecify.annotations.NullMarked;
