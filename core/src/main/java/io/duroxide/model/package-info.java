/**
 * The nouns that reach the disk: events, work items, errors, versions. Depends on the JDK alone.
 */
@NullMarked
package io.duroxide.model;

import org.jspecify.annotations.NullMarked;
