package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What each example does; what it prints is compared with the guide. */
class ExamplesTest {
  private final SqliteProvider store = SqliteProvider.inMemory();
  private final Client client = Client.of(store);
  private final List<DuroxideRuntime> nodes = new ArrayList<>();

  @AfterEach
  void close() {
    nodes.forEach(DuroxideRuntime::close);
    store.close();
  }

  private void start(UnaryOperator<DuroxideRuntime.Builder> registrations) {
    start(RuntimeOptions.defaults(), registrations);
  }

  private void start(RuntimeOptions options, UnaryOperator<DuroxideRuntime.Builder> registrations) {
    nodes.add(registrations.apply(DuroxideRuntime.builder(store).options(options)).start());
  }

  private <K extends EventKind> List<K> events(String instance, Class<K> kind) {
    return store.read(instance).stream()
        .map(event -> event.kind())
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** The names of the activities of an instance, in the order they were asked for. */
  private List<String> activities(String instance) {
    return events(instance, EventKind.ActivityScheduled.class).stream()
        .map(EventKind.ActivityScheduled::name)
        .toList();
  }

  @Test
  @DisplayName("a chain hands each result to the next step")
  void chain() {
    start(Chain::register);

    assertThat(Chain.run(client)).isEqualTo("on its way: order-7, 450 g");
    assertThat(activities("order-7")).containsExactly("Pack", "PrintLabel", "HandOver");
  }

  @Test
  @DisplayName("fan-out takes the cheapest quote")
  void fanOut() {
    start(FanOut::register);

    assertThat(FanOut.run(client)).isEqualTo(new FanOut.Quote("Zed", 30));
    assertThat(activities("chairs")).hasSize(3);
  }

  @Test
  @DisplayName("bounded fan-out keeps the order of its elements")
  void boundedFanOut() {
    start(BoundedFanOut::register);

    assertThat(BoundedFanOut.run(client))
        .containsExactly(
            "small-beach.jpg",
            "small-dunes.jpg",
            "small-gulls.jpg",
            "small-pier.jpg",
            "small-sunset.jpg");
    assertThat(activities("album-1").subList(0, 3))
        .as("only three begin at once")
        .containsExactly("Download", "Download", "Download");
  }

  @Test
  @DisplayName("a race gives up the slower one")
  void race() {
    start(Race::register);

    assertThat(Race.run(client)).isEqualTo("Ms Okoro takes a taxi of North Cabs");
    assertThat(events("guest-12", EventKind.ActivityCancelRequested.class)).hasSize(1);
  }

  @Test
  @DisplayName("a refused saga gives back what it booked, newest first")
  void saga() {
    start(TripSaga::register);

    assertThat(TripSaga.run(client, "Porto"))
        .isEqualTo("flight to Porto, hotel in Porto, car in Porto");
    assertThat(TripSaga.run(client, "Venice")).isEqualTo("not booked: no cars in Venice");
    assertThat(activities("Venice"))
        .containsExactly("BookFlight", "BookHotel", "RentCar", "CancelHotel", "CancelFlight");
  }

  @Test
  @DisplayName("an eternal loop begins a new execution with each reading")
  void eternalLoop() {
    start(EternalLoop::register);

    assertThat(EternalLoop.run(client))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class,
            end -> {
              assertThat(end.isCancelled()).isTrue();
              assertThat(end.customStatus().status()).isEqualTo("3 readings, 36 kWh");
            });
    assertThat(store.management().orElseThrow().listExecutions("meter-4"))
        .containsExactly(1L, 2L, 3L);
    assertThat(activities("meter-4")).hasSize(1);
  }

  @Test
  @DisplayName("executions that nobody wants to keep are pruned")
  void pruning() {
    start(Pruning.options(), Pruning::register);

    assertThat(Pruning.run(store))
        .containsExactly(
            "default: [3, 4, 5, 6]",
            "registration: [4, 5, 6]",
            "override: [2, 3, 4, 5, 6]",
            "instance: [4, 5, 6]",
            "never: [1, 2, 3, 4, 5, 6]",
            "code: [5, 6]",
            "late: [4, 5, 6]");
    assertThat(client.waitFor(Pruning.LATE, "late", Duration.ofSeconds(10))).isEqualTo("3 pruned");
  }

  @Test
  @DisplayName("a mailbox keeps its order")
  void chatMailbox() {
    start(ChatMailbox::register);

    assertThat(ChatMailbox.run(client))
        .containsExactly(
            "About 'opening hours': I will ask.", "About 'parking': I will ask.", "Goodbye, Ines!");
  }

  @Test
  @DisplayName("EN-084 a till that was closed is opened again by the next sale")
  void tillMailbox() {
    start(TillMailbox::register);

    assertThat(TillMailbox.run(client))
        .containsExactly("sales: 1, total: 10", "sales: 3, total: 60");
  }

  @Test
  @DisplayName("a session stays with one worker")
  void sessions() {
    var left = new Sessions.Darkroom();
    var right = new Sessions.Darkroom();
    start(left::register);
    start(right::register);

    assertThat(Sessions.run(client)).isEqualTo("beach.raw with crop, sharpen, frame");
    assertThat(left.opened() + right.opened()).isEqualTo(1);
  }

  @Test
  @DisplayName("a tagged activity runs where its tag is served")
  void tags() {
    start(Tags::office);
    start(Tags.withGraphicsCard(RuntimeOptions.builder()).build(), Tags::renderFarm);

    assertThat(Tags.run(client)).isEqualTo("Dunes, cut in the office, rendered on the farm");
  }

  @Test
  @DisplayName("a child that fails is one outcome among others")
  void children() {
    start(Children::register);

    assertThat(Children.run(client))
        .isEqualTo("700 euros, still open: [harbour is short of money]");
    assertThat(store.management().orElseThrow().listChildren("may")).hasSize(3);
  }

  @Test
  @DisplayName("a detached orchestration has no parent")
  void detached() {
    start(Detached::register);

    assertThat(Detached.run(client))
        .containsExactly("account of ada", "sent: ten things to try, ada");
    assertThat(store.management().orElseThrow().parentId("welcome-ada")).isEmpty();
  }

  @Test
  @DisplayName("a parent clears up after a child that was cancelled")
  void cancellation() {
    start(Cancellation::register);

    assertThat(Cancellation.run(client))
        .isEqualTo("parts of dunes deleted, canceled: wrong soundtrack");
    assertThat(client.status("dunes-encoding"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class, end -> assertThat(end.isCancelled()).isTrue());
  }

  @Test
  @DisplayName("an execution ends with the code it began with, the next takes the newest")
  void versions() {
    start(Versions::firstRelease);
    Versions.beforeUpgrade(client);
    nodes.removeFirst().close();
    start(Versions::secondRelease);

    assertThat(Versions.afterUpgrade(client))
        .containsExactly("sent plain text: spring", "sent <h1>summer</h1>");
  }

  @Test
  @DisplayName("progress is there for others to read")
  void progress() {
    start(Progress::register);

    assertThat(Progress.run(client))
        .isEqualTo(
            Map.of(
                "done", "{\"files\":3,\"rows\":16000}",
                "rows of orders", "6000",
                "rows of stock", "5000",
                "rows of users", "5000"));
    assertThat(client.status("import-1").customStatus().status()).isNull();
  }

  @Test
  @DisplayName("a retry goes on until it works")
  void retry() {
    start(Retry::register);

    assertThat(Retry.run(client)).isEqualTo("3000 euros transferred by call 3");
    assertThat(events("salary-may", EventKind.ActivityFailed.class)).hasSize(2);
  }

  @Test
  @DisplayName("a failure keeps its class and what it carries")
  void failures() {
    start(Failures::register);

    assertThat(Failures.run(client, "cart-1", 200)).isEqualTo("charged 200 euros");
    assertThat(Failures.run(client, "cart-2", 900)).isEqualTo("invoice over 400 euros");
  }

  @Test
  @DisplayName("a client starts, looks, raises, cancels and starts again")
  void clientTour() {
    start(ClientTour::register);

    assertThat(ClientTour.run(client))
        .containsExactly(
            "unknown",
            "running, open",
            "Where is the key? Under the mat.",
            "canceled: found it",
            "instance 't-1' has ended and takes no more messages",
            "instance 't-1' exists already; choose another id");
  }

  @Test
  @DisplayName("an approved order is charged, a refused one gives back its stock")
  void orderProcess() {
    start(OrderProcess::register);
    var yes = new OrderProcess.Approval(true, "Kim");
    var no = new OrderProcess.Approval(false, "Kim");

    assertThat(OrderProcess.run(client, new OrderProcess.Order("7", "lamp", 49), yes))
        .isEqualTo("charged: payment-7");
    assertThat(OrderProcess.run(client, new OrderProcess.Order("8", "lamp", 49), no))
        .isEqualTo("rejected: refused by Kim");
    assertThat(activities("7")).doesNotContain("Release");
    assertThat(activities("8")).endsWith("Release");
  }

  @Test
  @DisplayName("an order above ten thousand euros is fraud")
  void fraud() {
    start(OrderProcess::register);
    client.start(OrderProcess.PROCESS, "9", new OrderProcess.Order("9", "lamp", 10_001));

    assertThat(client.waitForCompletion("9", Duration.ofSeconds(10)))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class,
            failed -> assertThat(failed.details().displayMessage()).isEqualTo("fraud"));
  }
}
