/** One runnable program per feature. */
@NullMarked
package io.duroxide.examples;

import org.jspecify.annotations.NullMarked;
