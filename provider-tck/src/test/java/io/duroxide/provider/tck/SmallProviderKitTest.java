package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.small.SmallFixture;
import io.duroxide.provider.tck.ConformanceReport.Entry;
import io.duroxide.provider.tck.ConformanceReport.Verdict;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@DisplayName("A provider written from the page of the contract")
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SmallProviderKitTest {
  @AfterEach
  void forget() {
    System.clearProperty(NamedFixture.PROPERTY);
  }

  @Test
  @DisplayName("RL-083 TCK-INS-60 a provider with the required methods alone passes the kit")
  void wholeKit() {
    System.setProperty(NamedFixture.PROPERTY, SmallFixture.class.getName());

    ConformanceReport report = ConformanceRun.of(TckMain.suites());

    assertThat(report.with(Verdict.FAILED)).isEmpty();
    assertThat(report.with(Verdict.PASSED)).hasSizeGreaterThan(350);
    assertThat(report.with(Verdict.SKIPPED))
        .extracting(Entry::detail)
        .allSatisfy(reason ->
            assertThat(reason).containsPattern("^needs [A-Z_]+$|the fixture has no [a-zA-Z]+"))
        .contains(
            "needs MANAGEMENT",
            "needs NEW_STARTS",
            "needs CHECKED_SENDS",
            "needs ORPHAN_PURGE",
            "needs DROP_COUNT",
            "needs WITHDRAWN_TIMERS",
            "needs WINDOWS");
  }
}
