/**
 * The stored JSON of events, work items and errors, the only place that knows it. Names written
 * here are on disks: they never change. See {@code docs/wire-format.md}.
 */
@NullMarked
package io.duroxide.codec;

import org.jspecify.annotations.NullMarked;
