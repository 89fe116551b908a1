package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.NodeOffer;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.NodeInfo;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.Stranded;
import io.duroxide.provider.WaitingWork;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CAP: pins that are unusual. */
public abstract class PinTck extends CapabilitySteps {
  /** For subclasses. */
  protected PinTck() {}

  @Test
  @DisplayName("TCK-CAP-61 pins of ten digits compare as numbers")
  void longPins() {
    createPinned("short", "999999999.0.0");
    createPinned("long", "2000000000.9999999999.0");
    createPinned("longer", "9999999999.0.0");
    for (String each : List.of("longer", "long", "short")) {
      poke(each);
    }

    served("short", range("2.0.0", "1000000000.0.0"));
    served("long", range("2000000000.1000000000.0", "2000000001.0.0"));
    nothingIn(range("0.0.0", "3.0.0"), range("9999999999.0.1", "99999999999.0.0"));
    served("longer", range("9999999999.0.0", "9999999999.0.0"));
  }

  private static final SemverRange ANY = range("0.0.0", "999999999.0.0");

  private static final NodeInfo NODE =
      new NodeInfo(
          "node",
          NodeOffer.of(
              List.of(ANY),
              Map.of(Items.ORCHESTRATION, Set.of(Items.VERSION)),
              Set.of(),
              true,
              Set.of()),
          Instant.EPOCH);

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-61 a pin that cannot be read hides its own instance from filters only")
  void unreadablePin() {
    createPinned("x", "1.0.0");
    createPinned("y", "1.0.0");
    poke("x");
    fixture().corruptPin("x");
    poke("y");

    served("y", ANY);
    nothingIn(ANY);
    provider.management().ifPresent(this::showsUnreadable);
    fetched("x");
  }

  /** A store that does not tell of waiting work lists nothing as stuck. */
  private void showsUnreadable(ProviderAdmin admin) {
    ExecutionPin pin = admin.instanceInfo("x").pin();
    assertThat(pin).isNotNull().extracting(ExecutionPin::version).isEqualTo(Optional.empty());
    assertThat(admin.executionInfo(first("x")).pin()).isEqualTo(pin);
    List<WaitingWork> waiting = admin.waitingWork(10, 10);
    assertThat(Stranded.among(waiting, List.of(NODE)))
        .hasSameSizeAs(waiting)
        .allSatisfy(stranded -> assertThat(stranded.reason()).contains("cannot be read"));
  }
}
