/** What operators do on large stores: listing, deleting, pruning. */
@NullMarked
package io.duroxide.benchmarks.operations;

import org.jspecify.annotations.NullMarked;
