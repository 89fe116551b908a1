package io.duroxide.provider.sqlite;

import io.duroxide.provider.Provider;
import io.duroxide.provider.tck.ComparisonTck;
import java.time.InstantSource;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Random operations")
class RandomComparisonTest extends ComparisonTck {
  @Override
  protected boolean tellsOfTheStranded() {
    return true;
  }

  @Override
  protected boolean offersTransfer() {
    return true;
  }

  @Override
  protected boolean hasWindows() {
    return true;
  }

  @Override
  protected Provider open(InstantSource clock) {
    return SqliteProvider.inMemory(SqliteOptions.DEFAULT.withClock(clock));
  }
}
