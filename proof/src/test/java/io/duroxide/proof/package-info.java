/** Lanes that prove the promise "nothing lost, nothing doubled" with programs nobody wrote. */
@NullMarked
package io.duroxide.proof;

import org.jspecify.annotations.NullMarked;
