package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.client.Delivery;
import io.duroxide.client.FirstMail;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.provider.OrphanQueuePolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clients hear whether what they send can reach anybody. */
class CheckedSendsTest extends EachStoreScenario {
  private static final Orchestration<String, String> READER =
      Orchestration.of("Reader", String.class, String.class);
  private static final Orchestration<String, String> CALLER =
      Orchestration.of("Caller", String.class, String.class);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);
  private static final Activity<String, String> TELL =
      Activity.of("Tell", String.class, String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  private void startNode(OrphanQueuePolicy policy) {
    world.start(
        world.options().orphanQueuePolicy(policy),
        node -> node.orchestration(READER, (ctx, in) -> in + ctx.dequeue(MAIL).await()));
  }

  /** An instance that has read one message and ended. */
  private void endedReader() {
    startNode(OrphanQueuePolicy.DROP);
    world.client().startAndEnqueue(READER, "r", "read ", MAIL, List.of("one"));
    assertThat(world.output("r")).isEqualTo("read one");
  }

  private static void isEnded(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOf(ClientException.InstanceEnded.class)
        .hasMessage("instance 'r' has ended and takes no more messages");
  }

  @Test
  @DisplayName("EN-080 what is sent to an ended instance is refused and nothing is stored")
  void ended() {
    endedReader();
    Client client = world.client();

    isEnded(() -> client.enqueue("r", MAIL, "late"));
    isEnded(() -> client.raiseEvent("r", "go", "late"));
    isEnded(() -> client.cancel("r", "late"));
    isEnded(() -> client.startAndEnqueue(READER, "r", "again ", MAIL, List.of("late")));

    assertThat(messages().total()).isZero();
    assertThat(world.output("r")).isEqualTo("read one");
  }

  @Test
  @DisplayName("EN-081 a message for an unknown instance is refused and nothing is stored")
  void unknown() {
    startNode(OrphanQueuePolicy.DROP);

    assertThatThrownBy(() -> world.client().enqueue("r", MAIL, "early"))
        .isInstanceOf(ClientException.InstanceNotFound.class)
        .hasMessage("instance 'r' is unknown; start it first");

    world.client().start(READER, "r", "read ");
    world.client().enqueue("r", MAIL, "late");
    assertThat(world.output("r")).isEqualTo("read late");
  }

  @Test
  @DisplayName("EN-081 where nodes hold such messages it is accepted and delivered after the start")
  void held() {
    startNode(OrphanQueuePolicy.HOLD);

    world.client().enqueue("r", MAIL, "early");
    Quiet.await(world);
    world.client().start(READER, "r", "read ");

    assertThat(world.output("r")).isEqualTo("read early");
  }

  @Test
  @DisplayName("EN-081 a client without a node in its process is told that nodes hold messages")
  void heldElsewhere() {
    Client client = world.client().withOrphanPolicy(OrphanQueuePolicy.HOLD);
    client.enqueue("r", MAIL, "early");
    startNode(OrphanQueuePolicy.HOLD);
    client.start(READER, "r", "read ");

    assertThat(world.output("r")).isEqualTo("read early");
  }

  @Test
  @DisplayName("EN-081 a start that is queued or delayed makes its instance known")
  void delayedStart() {
    startNode(OrphanQueuePolicy.DROP);
    world.client().start(READER, "r", "read ", StartOptions.delayed(HOUR));

    world.client().enqueue("r", MAIL, "early");
    world.advance(HOUR);

    assertThat(world.output("r")).isEqualTo("read early");
  }

  @Test
  @DisplayName("EN-082 a raised event for an unknown instance is kept for its time-to-live")
  void raisedEarly() {
    Orchestration<String, String> echo = Orchestration.of("Echo", String.class, String.class);
    world.client().raiseEvent("kept", "go", "on");
    world.client().raiseEvent("gone", "go", "on");
    world.advance(HOUR.minusMillis(1));
    assertThat(world.store().purgeOrphanMessages(HOUR)).isZero();
    world.start(node -> node.orchestration(echo, (ctx, in) -> in));
    world.client().start(echo, "kept", "done");
    assertThat(world.output("kept")).isEqualTo("done");
    assertThat(world.events("kept", EventKind.ExternalEvent.class))
        .containsExactly(new EventKind.ExternalEvent("go", "on"));

    world.advance(Duration.ofMillis(2));

    assertThat(world.store().purgeOrphanMessages(HOUR)).isEqualTo(1);
  }

  @Test
  @DisplayName("EN-094 a client that does not check has its messages accepted")
  void unchecked() {
    endedReader();
    Client blind = world.client().withDelivery(Delivery.UNCHECKED);

    assertThatCode(
            () -> {
              blind.enqueue("r", MAIL, "late");
              blind.raiseEvent("r", "go", "late");
              blind.cancel("r", "late");
              blind.startAndEnqueue(READER, "r", "again ", MAIL, List.of("late"));
              blind.enqueue("nobody", MAIL, "early");
            })
        .doesNotThrowAnyException();

    Quiet.await(world);
    assertThat(messages().total()).isZero();
    assertThat(world.output("r")).isEqualTo("read one");
  }

  @Test
  @DisplayName("EN-094 an activity sends without a check, unless it asks for one")
  void fromActivities() {
    endedReader();
    world.start(node ->
        node.orchestration(CALLER, (ctx, in) -> ctx.call(TELL, in).await())
            .activity(
                TELL,
                (ctx, how) -> {
                  Client client = Client.of(ctx);
                  Client chosen =
                      how.equals("checked") ? client.withDelivery(Delivery.CHECKED) : client;
                  try {
                    chosen.enqueue("r", MAIL, "late");
                    return "sent";
                  } catch (ClientException.InstanceEnded e) {
                    return "refused";
                  }
                }));

    world.client().start(CALLER, "a", "checked");
    world.client().start(CALLER, "b", "as it is");

    assertThat(world.output("a")).isEqualTo("refused");
    assertThat(world.output("b")).isEqualTo("sent");
  }

  @Test
  @DisplayName(
      "EN-084 startAndEnqueue gives its messages to what runs, and refuses what must be new")
  void startAndEnqueue() {
    startNode(OrphanQueuePolicy.DROP);
    world.client().start(READER, "r", "read ");
    StartOptions mustBeNew = StartOptions.defaults().withReuse(StartOptions.Reuse.REJECT);

    assertThatThrownBy(() ->
            world
                .client()
                .startAndEnqueue(READER, "r", "", FirstMail.to(MAIL, List.of("no")), mustBeNew))
        .isInstanceOf(ClientException.InstanceExists.class);
    world.client().startAndEnqueue(READER, "r", "other ", MAIL, List.of("yes"));
    assertThat(world.output("r")).isEqualTo("read yes");

    FirstMail first = FirstMail.to(MAIL, List.of("new"));
    world.client().startAndEnqueue(READER, "s", "read ", first, mustBeNew);
    assertThat(world.output("s")).isEqualTo("read new");
  }
}
