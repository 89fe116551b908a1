package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ATOM: a commit that meets trouble of the store (6, 12). */
public abstract class CommitFaultTck extends ProviderTck {
  /** An ack with more statements than this would be a strange one. */
  private static final int MAX_BOUNDARIES = 100;

  /** As many statements as an ack of most stores has. */
  private static final int STATEMENTS = 25;

  /** For subclasses. */
  protected CommitFaultTck() {}

  @Test
  @Needs.Faults
  @DisplayName("TCK-ATOM-14 a connection lost within an ack leaves the store unchanged")
  void lostWithin() {
    boolean struck = true;
    for (int boundary = 0; struck; boundary++) {
      assertThat(boundary).as("statements of one ack").isLessThan(MAX_BOUNDARIES);
      String x = "x-" + boundary;
      LockedOrchestration locked = locked(x);

      fixture().fault(FaultPoint.afterStatements(boundary), FaultKind.CONNECTION_LOST);
      Optional<ProviderException> failure = tryAck(locked);
      fixture().heal();

      struck = failure.isPresent();
      if (struck) {
        assertThat(failure.orElseThrow().retryable()).as("boundary %d", boundary).isTrue();
        assertThat(provider.read(x)).as("boundary %d", boundary).hasSize(1);
        noWork();
        ack(locked, commit(locked));
      }
      committedOnce(x);
    }
  }

  @Test
  @Needs.Faults
  @DisplayName("TCK-ATOM-15 a connection lost after the commit never applies it twice")
  void lostAfter() {
    LockedOrchestration locked = locked("x");

    fixture().fault(FaultPoint.AFTER_COMMIT, FaultKind.CONNECTION_LOST);
    Optional<ProviderException> failure = tryAck(locked);
    fixture().heal();
    if (failure.isPresent() && failure.orElseThrow().retryable()) {
      failure = tryAck(locked);
    }

    failure.ifPresent(e -> assertThat(e.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST));
    committedOnce("x");
  }

  @Test
  @Needs.Errors
  @Needs.TwoHandles
  @DisplayName("TCK-ATOM-60 an Error at any statement leaves nothing open and nothing behind")
  void error() {
    Provider other = secondHandle();
    for (int boundary = 0; boundary < STATEMENTS; boundary++) {
      String x = "x-" + boundary;
      LockedOrchestration locked = locked(x);

      fixture().fault(FaultPoint.afterStatements(boundary), FaultKind.ERROR);
      Optional<ProviderException> failure = tryAck(locked);
      fixture().heal();

      if (failure.isPresent()) {
        assertThat(failure.orElseThrow().retryable()).as("boundary %d", boundary).isTrue();
        assertThat(other.read(x)).as("boundary %d", boundary).hasSize(1);
        assertThat(other.customStatus(x, 0)).as("boundary %d", boundary).isEmpty();
        assertThat(wfetch(other, WorkFetch.of(LOCK, Duration.ZERO))).isEmpty();
        ack(locked, commit(locked));
      }
      committedOnce(x);
    }
  }

  @Test
  @Needs.Kill
  @Needs.Durable
  @DisplayName("TCK-ATOM-16 a commit survives the death of the process")
  void killed() {
    LockedOrchestration locked = locked("x");

    ack(locked, commit(locked));
    provider = fixture().kill(provider);

    committedOnce("x");
  }

  private LockedOrchestration locked(String instance) {
    create(instance);
    poke(instance);
    return fetched(instance);
  }

  private Optional<ProviderException> tryAck(LockedOrchestration locked) {
    try {
      ack(locked, commit(locked));
      return Optional.empty();
    } catch (ProviderException e) {
      return Optional.of(e);
    }
  }

  private static TurnCommit commit(LockedOrchestration locked) {
    return next(locked, new EventKind.CustomStatusUpdated("halfway"))
        .withWorkerItems(List.of(Items.activity(locked.item().instance(), 2)))
        .withOrchestratorItems(List.of(Items.raised(locked.item().instance(), "sent")));
  }

  private void committedOnce(String instance) {
    assertThat(provider.read(instance)).hasSize(2);
    assertThat(provider.customStatus(instance, 0).orElseThrow().version()).isEqualTo(1);
    provider.ackWorkItem(work(2).lockToken(), null);
    noWork();
    LockedOrchestration next = fetched(instance);
    assertThat(messages(next)).containsExactly(Items.raised(instance, "sent"));
    drain(next);
    nothingToFetch();
  }
}
