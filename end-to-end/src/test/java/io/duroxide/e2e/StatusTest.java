package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StatusTest extends Scenario {
  private static final Orchestration<String, String> ECHO = texts("Echo");
  private static final Orchestration<String, String> WAIT = texts("Wait");
  private static final Orchestration<String, String> FAIL = texts("Fail");
  private static final Orchestration<Integer, String> COUNT =
      Orchestration.of("Count", Integer.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);

  private Client startNode() {
    world.start(node ->
        node.orchestration(ECHO, (ctx, in) -> in)
            .orchestration(WAIT, (ctx, in) -> ctx.waitFor(GO).await())
            .orchestration(
                FAIL,
                (ctx, in) -> {
                  throw new OrchestrationFailure(in);
                })
            .orchestration(
                COUNT,
                (ctx, n) -> {
                  ctx.timer(Duration.ofMinutes(1)).await();
                  return n < 2 ? ctx.continueAsNew(n + 1) : "end " + n;
                }));
    return world.client();
  }

  @Test
  @DisplayName("E2E-670 an id that was never started is not found")
  void neverStarted() {
    assertThat(startNode().status("nobody")).isInstanceOf(OrchestrationStatus.NotFound.class);
  }

  @Test
  @DisplayName("E2E-671 what waits for a timer or an event is running")
  void waiting() {
    Client client = startNode();
    client.start(WAIT, "event", "");
    client.start(COUNT, "timer", 9);
    world.awaitEvent("event", EventKind.ExternalSubscribed.class);
    world.awaitEvent("timer", EventKind.TimerCreated.class);
    assertThat(client.status("event")).isInstanceOf(OrchestrationStatus.Running.class);
    assertThat(client.status("timer")).isInstanceOf(OrchestrationStatus.Running.class);
  }

  @Test
  @DisplayName("E2E-672 E2E-673 E2E-677 one completed, one failed, one running: three statuses")
  void independent() {
    Client client = startNode();
    client.start(ECHO, "completed", "out");
    client.start(FAIL, "failed", "boom");
    client.start(WAIT, "running", "");
    world.end("completed");
    world.end("failed");
    world.awaitEvent("running", EventKind.ExternalSubscribed.class);
    assertThat(client.status("completed"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Completed.class,
            status -> assertThat(status.output()).isEqualTo("out"));
    assertThat(client.status("failed"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class,
            status -> assertThat(status.details().displayMessage()).isEqualTo("boom"));
    assertThat(client.status("running")).isInstanceOf(OrchestrationStatus.Running.class);
  }

  @Test
  @DisplayName("E2E-674 after continue-as-new the status is that of the latest execution")
  void latestExecution() {
    Client client = startNode();
    client.start(COUNT, "c", 0);
    for (int n = 0; n < 3; n++) {
      awaitEvent("c", n + 1, EventKind.TimerCreated.class);
      assertThat(client.status("c")).isInstanceOf(OrchestrationStatus.Running.class);
      world.advance(Duration.ofMinutes(1));
    }
    assertThat(world.output("c")).isEqualTo("end 2");
    assertThat(client.status("c"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Completed.class,
            status -> assertThat(status.output()).isEqualTo("end 2"));
  }

  @Test
  @DisplayName("E2E-675 a cancelled instance failed, with the kind and the reason")
  void cancelled() {
    Client client = startNode();
    client.start(WAIT, "w", "");
    client.cancel("w", "not needed");
    world.end("w");
    assertThat(client.status("w"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class,
            status -> {
              assertThat(status.isCancelled()).isTrue();
              assertThat(status.details())
                  .isEqualTo(
                      new ErrorDetails.Application(
                          new ApplicationErrorKind.Cancelled("not needed"), ""));
            });
  }

  @Test
  @DisplayName("E2E-676 not found, then running, then completed")
  void lifetime() {
    Client client = startNode();
    assertThat(client.status("w")).isInstanceOf(OrchestrationStatus.NotFound.class);
    client.start(WAIT, "w", "");
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);
    assertThat(client.status("w")).isInstanceOf(OrchestrationStatus.Running.class);
    client.raiseEvent("w", GO, "done");
    assertThat(world.output("w")).isEqualTo("done");
    assertThat(client.status("w")).isInstanceOf(OrchestrationStatus.Completed.class);
  }
}
