/** What nodes cost that wait. */
@NullMarked
package io.duroxide.benchmarks.nodes;

import org.jspecify.annotations.NullMarked;
