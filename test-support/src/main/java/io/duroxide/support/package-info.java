/** What the test JVMs of all modules share. */
@NullMarked
package io.duroxide.support;

import org.jspecify.annotations.NullMarked;
