/** What nodes on one PostgreSQL server do and cost. */
@NullMarked
package io.duroxide.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
