/**
 * What a runtime and a client tell about themselves: one listener and the events it hears, a
 * snapshot of counters, and a health report. No metrics library here.
 */
@NullMarked
package io.duroxide.telemetry;

import org.jspecify.annotations.NullMarked;
