/**
 * What user code touches: typed handles, contexts, durable futures, options and failures. Start at
 * {@link io.duroxide.api.OrchestrationContext}.
 */
@NullMarked
package io.duroxide.api;

import org.jspecify.annotations.NullMarked;
