package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CLU: a store whose connections end while nodes are busy (15). */
@Needs.Cluster
public abstract class ClusterLoadTck extends ProviderTck {
  private static final int INSTANCES = 6;
  private static final int MESSAGES = 40;
  private static final int RESTARTS = 6;
  private static final OrchestrationFetch TURN =
      OrchestrationFetch.of(Duration.ofSeconds(2), Duration.ofMillis(200));

  private final AtomicInteger recorded = new AtomicInteger();

  /** For subclasses. */
  protected ClusterLoadTck() {}

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-CLU-05 a store that restarts under load loses and doubles nothing")
  void restarts() {
    Provider other = secondHandle();
    for (int i = 0; i < INSTANCES; i++) {
      create("x-" + i);
    }
    List<Future<Boolean>> senders = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      String x = "x-" + i;
      Provider handle = i % 2 == 0 ? provider : other;
      senders.add(race().start(() -> sendAll(handle, x)));
    }
    List<Future<Boolean>> nodes = new ArrayList<>();
    for (Provider handle : List.of(provider, provider, other, other)) {
      nodes.add(race().start(() -> recordAll(handle)));
    }

    for (int restart = 1; restart <= RESTARTS; restart++) {
      int enough = INSTANCES * MESSAGES * restart / (RESTARTS + 1);
      RuntimeSteps.until(enough + " messages are recorded", () -> recorded.get() >= enough);
      fixture().cluster().endConnections();
    }

    senders.forEach(sender -> Race.outcome(sender).get());
    nodes.forEach(node -> Race.outcome(node).get());
    List<String> all = IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList();
    for (int i = 0; i < INSTANCES; i++) {
      assertThat(data(provider.read("x-" + i))).as("x-%d", i).isEqualTo(all);
    }
    nothingToFetch();
  }

  private static boolean sendAll(Provider handle, String x) {
    for (int i = 0; i < MESSAGES; i++) {
      WorkItem message = Items.raised(x, Integer.toString(i));
      retried(() -> {
        handle.enqueueForOrchestrator(message, Duration.ZERO);
        return true;
      });
    }
    return true;
  }

  /** Takes turns, each of which records its messages, until all are recorded. */
  private boolean recordAll(Provider handle) {
    while (recorded.get() < INSTANCES * MESSAGES) {
      retried(() -> handle.fetchOrchestrationItem(TURN)).ifPresent(turn -> record(handle, turn));
    }
    return true;
  }

  private void record(Provider handle, LockedOrchestration turn) {
    List<Event> events = new ArrayList<>();
    long id = nextId(turn);
    for (WorkItem message : messages(turn)) {
      WorkItem.ExternalRaised raised = (WorkItem.ExternalRaised) message;
      events.add(
          Events.of(
              turn.item().execution(),
              id++,
              new EventKind.ExternalEvent(raised.name(), raised.data())));
    }
    TurnCommit commit =
        TurnCommit.events(turn.item().execution().executionId(), events, ExecutionMetadata.NONE);
    try {
      retried(() ->
          handle.commitTurn(new TurnSource.Fetched(turn.lockToken()), commit, WorkClaim.NONE));
    } catch (ProviderException lost) {
      assertThat(lost.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST);
    }
    int sum = IntStream.range(0, INSTANCES).map(i -> recorded("x-" + i)).sum();
    // Another thread may have counted later and said so before.
    recorded.accumulateAndGet(sum, Math::max);
  }

  private int recorded(String x) {
    return data(retried(() -> provider.read(x))).size();
  }

  private static List<String> data(List<Event> history) {
    return RuntimeSteps.kinds(history, EventKind.ExternalEvent.class).stream()
        .map(EventKind.ExternalEvent::data)
        .toList();
  }

  /** Calls as a runtime does: again, as long as the failure says that it may help. */
  private static <T> T retried(Callable<T> call) {
    var elapsed = SystemTime.stopwatch();
    while (true) {
      try {
        return call.call();
      } catch (ProviderException e) {
        if (!e.retryable() || elapsed.get().compareTo(RuntimeSteps.PATIENCE) > 0) {
          throw e;
        }
      } catch (Exception e) {
        throw new AssertionError("a call failed", e);
      }
    }
  }
}
