/** The command line tool: looks into a store and steers what is in it. */
@NullMarked
package io.duroxide.cli;

import org.jspecify.annotations.NullMarked;
