/** For operators: lists, inspects, deletes and prunes instances; needs a store, not a runtime. */
@NullMarked
package io.duroxide.management;

import org.jspecify.annotations.NullMarked;
