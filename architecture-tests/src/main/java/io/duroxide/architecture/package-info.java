/** The rules of the house, kept by tests over the classes and the sources of every module. */
@NullMarked
package io.duroxide.architecture;

import org.jspecify.annotations.NullMarked;
