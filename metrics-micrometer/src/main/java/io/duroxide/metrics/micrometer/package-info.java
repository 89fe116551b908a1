/** Metrics of runtimes and clients in a Micrometer registry. */
@NullMarked
package io.duroxide.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
