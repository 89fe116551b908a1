package io.duroxide.examples;

import io.duroxide.api.ActivityContext;
import io.duroxide.client.Client;
import io.duroxide.examples.Play.Act;
import io.duroxide.examples.Play.Node;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** Examples as plays: all but those that are about tools, and the one that prunes. */
public final class Plays {
  private Plays() {}

  public static List<Play> all() {
    return List.of(
        Play.of("Chain", Chain::register, Chain::run),
        Play.of("FanOut", FanOut::register, FanOut::run),
        Play.of("BoundedFanOut", BoundedFanOut::register, BoundedFanOut::run),
        Play.of("Race", Race::register, Race::run),
        Play.of("Approval", Approval::register, Plays::approval),
        Play.of("TripSaga", TripSaga::register, client -> TripSaga.run(client, "Venice")),
        Play.of("EternalLoop", EternalLoop::register, EternalLoop::run),
        Play.of("ChatMailbox", ChatMailbox::register, ChatMailbox::run),
        Play.of("Sessions", node -> new Sessions.Darkroom().register(node), Sessions::run),
        tags(),
        Play.of("Children", Children::register, Children::run),
        Play.of("Detached", Detached::register, Detached::run),
        Play.of("Cancellation", Cancellation::register, Cancellation::run),
        versions(),
        Play.of("Progress", Progress::register, Progress::run),
        Play.of("Retry", Plays::retry, Retry::run),
        Play.of("Failures", Failures::register, client -> Failures.run(client, "cart", 900)),
        Play.of("ClientTour", ClientTour::register, ClientTour::run),
        Play.of("OrderProcess", OrderProcess::register, Plays::orders));
  }

  public static Play named(String name) {
    return all().stream().filter(play -> play.name().equals(name)).findFirst().orElseThrow();
  }

  private static Object approval(Client client) {
    var chair = new Approval.Expense("chair", 300, Duration.ofDays(3));
    var stamps = new Approval.Expense("stamps", 3, Duration.ofMillis(50));
    return List.of(
        Approval.decided(client, "chair", chair, new Approval.Decision(true, "Kim")),
        Approval.undecided(client, "stamps", stamps));
  }

  private static Object orders(Client client) {
    return List.of(
        OrderProcess.run(
            client,
            new OrderProcess.Order("7", "lamp", 49),
            new OrderProcess.Approval(true, "Kim")),
        OrderProcess.run(
            client,
            new OrderProcess.Order("8", "lamp", 49),
            new OrderProcess.Approval(false, "Kim")));
  }

  private static Play tags() {
    return new Play(
        "Tags",
        List.of(
            new Act(
                List.of(
                    new Node(UnaryOperator.identity(), Tags::office),
                    new Node(Tags::withGraphicsCard, Tags::renderFarm)),
                Tags::run)));
  }

  private static Play versions() {
    return new Play(
        "Versions",
        List.of(
            Play.act(
                Versions::firstRelease,
                client -> {
                  Versions.beforeUpgrade(client);
                  return "begun";
                }),
            Play.act(Versions::secondRelease, Versions::afterUpgrade)));
  }

  /** A bank that refuses the same calls whoever makes them: a node that stops forgets its bank. */
  private static DuroxideRuntime.Builder retry(DuroxideRuntime.Builder node) {
    return node.activity(Retry.TRANSFER, Plays::transfer)
        .orchestration(Retry.PAY_SALARY, Retry::paySalary);
  }

  private static String transfer(ActivityContext ctx, int euros) {
    if (ctx.key().activityId() < 8) {
      throw new IllegalStateException("the bank is closed for maintenance");
    }
    return euros + " euros transferred";
  }
}
