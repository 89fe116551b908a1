/** What must hold of a store, its ledgers and its logs when everything has ended. */
@NullMarked
package io.duroxide.proof.check;

import org.jspecify.annotations.NullMarked;
