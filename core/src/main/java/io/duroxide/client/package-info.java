/** Starts, steers and watches orchestrations; needs a store, not a runtime. */
@NullMarked
package io.duroxide.client;

import org.jspecify.annotations.NullMarked;
