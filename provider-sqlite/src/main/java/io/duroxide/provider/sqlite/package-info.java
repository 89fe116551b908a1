/**
 * Storage in one SQLite file.
 *
 * <p>One thread writes. Operations are commands in its queue; it runs what is queued in one
 * transaction and reports success once the file has it. Reads have connections of their own.
 */
@NullMarked
package io.duroxide.provider.sqlite;

import org.jspecify.annotations.NullMarked;
