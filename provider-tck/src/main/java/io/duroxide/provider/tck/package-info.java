/**
 * The validation kit: one abstract class for each category of the test catalog. A provider's author
 * writes a {@link io.duroxide.provider.tck.ProviderFixture} and, for each category, a subclass that
 * returns it; or runs {@code TckMain} with the name of the fixture.
 */
@NullMarked
package io.duroxide.provider.tck;

import org.jspecify.annotations.NullMarked;
