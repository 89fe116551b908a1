/** The nouns that reach the disk. */
@NullMarked
package io.duroxide.model;

import org.jspecify.annotations.NullMarked;
