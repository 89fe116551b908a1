/** Spans of clients, orchestrations, turns, activities and children. */
@NullMarked
package io.duroxide.tracing.opentelemetry;

import org.jspecify.annotations.NullMarked;
