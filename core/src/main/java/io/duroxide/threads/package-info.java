/** Where the threads of this module come from. */
@NullMarked
package io.duroxide.threads;

import org.jspecify.annotations.NullMarked;
