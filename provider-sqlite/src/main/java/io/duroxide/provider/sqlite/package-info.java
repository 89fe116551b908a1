/**
 * Storage in one SQLite file.
 *
 * <p>One connection writes. Operations are commands; a thread runs what has queued up in one
 * transaction and reports success once the file has it, and a caller that finds nothing under way
 * runs its own command. Reads have connections of their own.
 */
@NullMarked
package io.duroxide.provider.sqlite;

import org.jspecify.annotations.NullMarked;
