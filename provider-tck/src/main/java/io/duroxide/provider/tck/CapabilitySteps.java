package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.util.Optional;

/** Steps of the capability category. */
abstract class CapabilitySteps extends LifecycleSteps {
  static final SemverRange ONE = range("1.0.0", "1.9.9");
  static final SemverRange TWO = range("2.0.0", "2.9.9");

  static SemverRange range(String min, String max) {
    return new SemverRange(Semver.parse(min), Semver.parse(max));
  }

  /** An instance pinned to {@code pin}, with a message waiting. */
  final void waiting(String instance, String pin) {
    createPinned(instance, pin);
    poke(instance);
  }

  final void createPinned(String instance, String pin) {
    start(instance);
    ack(fetched(instance), TurnCommit.events(1, firstTurn(instance).historyDelta(), pinnedTo(pin)));
  }

  static ExecutionMetadata pinnedTo(String pin) {
    return identity().withPinnedVersion(Semver.parse(pin));
  }

  final Optional<LockedOrchestration> fetchIn(SemverRange... ranges) {
    return fetchIn(provider, ranges);
  }

  static Optional<LockedOrchestration> fetchIn(Provider handle, SemverRange... ranges) {
    return fetch(
        handle,
        OrchestrationFetch.of(LOCK, Duration.ZERO)
            .withFilter(DispatcherCapabilityFilter.of(ranges)));
  }

  /** Fetches within these ranges, and checks whose turn it is. */
  final LockedOrchestration served(String instance, SemverRange... ranges) {
    LockedOrchestration locked = present(fetchIn(ranges));
    assertThat(locked.item().instance()).isEqualTo(instance);
    return locked;
  }

  final void nothingIn(SemverRange... ranges) {
    assertThat(fetchIn(ranges)).as("orchestration fetch with a filter").isEmpty();
  }
}
