/** The format gate of this build. */
@NullMarked
package io.duroxide.formatter;

import org.jspecify.annotations.NullMarked;
