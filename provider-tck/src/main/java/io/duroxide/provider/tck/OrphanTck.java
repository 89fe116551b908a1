package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.QueueDepths;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: messages for instances that do not exist (8.6). */
public abstract class OrphanTck extends ProviderTck {
  private static final Duration DELAY = Duration.ofMillis(500);

  /** For subclasses. */
  protected OrphanTck() {}

  @Test
  @DisplayName("TCK-QUEUE-08 queue messages for an unknown instance are dropped")
  void dropped() {
    enqueue(Items.message("x", "1"));
    enqueue(Items.message("x", "2"));
    nothingToFetch();
    nothingToFetch();

    create("x");
    enqueue(Items.message("x", "3"));

    assertThat(messages(fetched("x"))).containsExactly(Items.message("x", "3"));
  }

  @Test
  @DisplayName("TCK-QUEUE-33 so are those for instances whose ids hold line breaks and blanks")
  void droppedOddIds() {
    List<String> ids = List.of("a\nb", "a\n1 b", "\n", " ", "1\r\n\u0000");
    ids.forEach(id -> enqueue(Items.message(id, "1")));
    nothingToFetch();
    if (fixture().features().contains(Feature.DROP_COUNT)) {
      assertThat(provider.takeDropped()).isEqualTo(ids.size());
    }

    ids.forEach(this::start);
    for (String id : ids) {
      assertThat(messages(fetched(id))).containsExactly(Items.start(id));
    }
  }

  @Test
  @DisplayName("TCK-QUEUE-32 a node that holds orphans leaves queue messages to the start")
  void held() {
    OrchestrationFetch holding =
        OrchestrationFetch.of(LOCK, Duration.ZERO).withOrphans(OrphanQueuePolicy.HOLD);
    enqueue(Items.message("x", "1"));
    enqueue(Items.message("never", "1"));
    assertThat(fetch(provider, holding)).isEmpty();
    enqueue(Items.message("x", "2"));
    assertThat(fetch(provider, holding)).isEmpty();
    create("y");
    poke("y");
    assertThat(present(fetch(provider, holding)).item().instance()).isEqualTo("y");

    start("x");

    LockedOrchestration locked = present(fetch(provider, holding));
    assertThat(messages(locked))
        .containsExactly(Items.message("x", "1"), Items.message("x", "2"), Items.start("x"));
    assertThat(locked.attemptCount()).isEqualTo(1);
  }

  @Test
  @Needs.OrphanPurge
  @DisplayName("TCK-QUEUE-32 queue messages that are held for a start can be purged")
  void heldAndPurged() {
    enqueue(Items.message("never", "1"));
    assertThat(
            fetch(
                provider,
                OrchestrationFetch.of(LOCK, Duration.ZERO).withOrphans(OrphanQueuePolicy.HOLD)))
        .isEmpty();
    advance(DELAY.plus(SLACK));

    assertThat(provider.purgeOrphanMessages(DELAY)).as("messages purged").isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-QUEUE-14 a cancel that waits for its start blocks nobody and is not lost")
  void cancelWaits() {
    enqueue(Items.cancel("x"));
    start("y");
    fetched("y");
    nothingToFetch();

    start("x");

    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.cancel("x"), Items.start("x"));
    assertThat(locked.item().orchestrationName()).isEqualTo(Items.ORCHESTRATION);
  }

  @Test
  @DisplayName("TCK-QUEUE-15 messages for instances never started are kept, uncounted")
  void kept() {
    List<WorkItem> orphans =
        List.of(
            Items.raised("raised", "early"),
            Items.completed("completed", 2),
            Items.timer("fired", 2, Instant.EPOCH));
    orphans.forEach(this::enqueue);
    for (int i = 0; i < 3; i++) {
      nothingToFetch();
    }
    create("y");
    poke("y");
    fetched("y");

    for (WorkItem orphan : orphans) {
      start(orphan.instance());
      LockedOrchestration locked = fetched(orphan.instance());
      assertThat(messages(locked))
          .containsExactlyInAnyOrder(orphan, Items.start(orphan.instance()));
      assertThat(locked.attemptCount()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("TCK-QUEUE-16 a queue message waits for a start that is delayed")
  void delayedStart() {
    enqueue(Items.start("x"), DELAY);
    enqueue(Items.message("x", "early"));
    nothingToFetch();

    advance(DELAY.plus(SLACK));

    assertThat(messages(fetched("x")))
        .containsExactly(Items.start("x"), Items.message("x", "early"));
  }

  @Test
  @DisplayName("TCK-QUEUE-17 a queue message waits for a start that was abandoned")
  void abandonedStart() {
    start("x");
    provider.abandonOrchestrationItem(fetched("x").lockToken(), DELAY, false);
    enqueue(Items.message("x", "early"));
    nothingToFetch();

    advance(DELAY.plus(SLACK));

    assertThat(messages(fetched("x")))
        .containsExactly(Items.start("x"), Items.message("x", "early"));
  }

  @Test
  @DisplayName("TCK-QUEUE-18 a queue message beside a cancel is kept with it")
  void mixed() {
    enqueue(Items.message("x", "early"));
    enqueue(Items.cancel("x"));
    nothingToFetch();

    start("x");

    assertThat(messages(fetched("x")))
        .containsExactly(Items.message("x", "early"), Items.cancel("x"), Items.start("x"));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-QUEUE-20 a dropped orphan leaves nothing behind")
  void nothingLeft() {
    enqueue(Items.message("x", "lost"));
    nothingToFetch();

    fails(Kind.NOT_FOUND, () -> admin().instanceInfo("x"));
    fails(Kind.NOT_FOUND, () -> admin().executionInfo(first("x")));
    assertThat(admin().listInstances()).isEmpty();
    assertThat(admin().listExecutions("x")).isEmpty();
    assertThat(admin().queueDepths()).isEqualTo(QueueDepths.EMPTY);
    start("x");
    assertThat(messages(fetched("x"))).containsExactly(Items.start("x"));
  }

  @Test
  @Needs.OrphanPurge
  @DisplayName("TCK-QUEUE-29 a purge removes old messages that have nowhere to go")
  void purged() {
    create("known");
    poke("known");
    enqueue(Items.raised("ghost", "old"));
    enqueue(Items.raised("starting", "early"));
    enqueue(Items.start("starting"), Duration.ofSeconds(2));
    advance(1000);
    enqueue(Items.raised("ghost", "new"));

    assertThat(provider.purgeOrphanMessages(Duration.ofMillis(500))).isEqualTo(1);

    start("ghost");
    assertThat(messages(fetched("known"))).hasSize(1);
    assertThat(messages(fetched("ghost")))
        .containsExactly(Items.raised("ghost", "new"), Items.start("ghost"));
    advance(1100);
    assertThat(messages(fetched("starting"))).hasSize(2);
  }
}
