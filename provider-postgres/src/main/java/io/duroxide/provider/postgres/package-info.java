/**
 * Storage in a schema of a PostgreSQL database, for many nodes at once.
 *
 * <p>Operations that change something queue up for a few lanes. A lane takes what is there and runs
 * it as one transaction in one round trip; the work is done by functions that the migrations
 * create. A step of a chain that is alone needs no lane. Reads have connections of their own.
 */
@NullMarked
package io.duroxide.provider.postgres;

import org.jspecify.annotations.NullMarked;
