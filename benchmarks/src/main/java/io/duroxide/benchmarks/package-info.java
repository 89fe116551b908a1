/** What things cost, measured with JMH. */
@NullMarked
package io.duroxide.benchmarks;

import org.jspecify.annotations.NullMarked;
