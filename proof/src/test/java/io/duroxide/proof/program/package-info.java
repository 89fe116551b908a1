/** Random programs over the authoring API as data, their interpreter and their model. */
@NullMarked
package io.duroxide.proof.program;

import org.jspecify.annotations.NullMarked;
