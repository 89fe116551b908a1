package io.duroxide.client;

import io.duroxide.api.ActivityContext;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.TypeRef;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.TextLimit;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.Provider;
import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.TelemetryListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts, steers and watches orchestrations.
 *
 * <p>Bound to a store alone: it works in a process without a runtime. When a control call returns,
 * its message is durable, and usually not yet processed; a start may be stored together with its
 * first turn, if a node of the process can run it. Cheap to make, thread-safe.
 */
public final class Client {
  private final Provider store;
  private final DataConverter converter;
  private final Calls calls;
  private final Outbox outbox;

  private Client(Outbox outbox, DataConverter converter, Calls calls) {
    this.store = outbox.store();
    this.converter = converter;
    this.calls = calls;
    this.outbox = outbox;
  }

  public static Client of(Provider store) {
    return new Client(
        new Outbox(store, Delivery.CHECKED, null), DataConverter.json(), Calls.UNTOLD);
  }

  /** The same client with another converter of payloads. */
  public Client withConverter(DataConverter newConverter) {
    return new Client(outbox, newConverter, calls);
  }

  /** The same client, whose calls this listener hears of. */
  public Client withTelemetry(TelemetryListener listener) {
    return new Client(outbox, converter, Calls.toldTo(listener));
  }

  /** The same client, which is told or not that what it sends reaches nobody. */
  public Client withDelivery(Delivery newDelivery) {
    return new Client(new Outbox(store, newDelivery, outbox.orphans()), converter, calls);
  }

  /**
   * The same client for a store whose nodes do this with mailbox messages for unknown instances. A
   * client in the process of a node knows it by itself.
   */
  public Client withOrphanPolicy(OrphanQueuePolicy policy) {
    return new Client(new Outbox(store, outbox.delivery(), policy), converter, calls);
  }

  /**
   * A client on the store of the node that runs an activity, with the node's converter, heard by
   * the node's listeners. It is {@link Delivery#UNCHECKED}: an activity may run twice, and the
   * instance may have ended by what it sent the first time.
   */
  public static Client of(ActivityContext activity) {
    return of(activity.service(Provider.class))
        .withDelivery(Delivery.UNCHECKED)
        .withConverter(activity.service(DataConverter.class))
        .withTelemetry(activity.service(TelemetryListener.class));
  }

  /**
   * Makes any call of this client without blocking: {@code client.supplyAsync(c -> c.waitFor(HELLO,
   * "hello-1", ONE_MINUTE))}. The call runs on a virtual thread, and cancelling the future, or
   * completing it by a timeout, ends it.
   */
  public <T> CompletableFuture<T> supplyAsync(Function<? super Client, ? extends T> call) {
    return AsyncCall.start(() -> call.apply(this));
  }

  /** As {@link #supplyAsync}, for calls that return nothing. */
  public CompletableFuture<@Nullable Void> runAsync(Consumer<? super Client> call) {
    return AsyncCall.start(() -> {
      call.accept(this);
      return null;
    });
  }

  /** Starts an instance; does nothing if the id exists. */
  public <I> void start(Orchestration<I, ?> orchestration, String instanceId, I input) {
    start(orchestration, instanceId, input, StartOptions.defaults());
  }

  /** Starts an instance. */
  public <I> void start(
      Orchestration<I, ?> orchestration, String instanceId, I input, StartOptions options) {
    start(orchestration.name(), instanceId, encode(input), options);
  }

  /** Starts an instance by name with text as input. */
  public void start(String orchestration, String instanceId, String input, StartOptions options) {
    WorkItem.StartOrchestration start = startItem(orchestration, instanceId, input, options);
    calls.send(
        ClientCall.Operation.START, instanceId, orchestration, () -> outbox.start(start, options));
  }

  /**
   * Starts an instance and gives it its first mailbox messages, all or nothing. If it runs already,
   * it gets the messages.
   *
   * @throws ClientException.InstanceEnded if it has ended
   */
  public <I, T> void startAndEnqueue(
      Orchestration<I, ?> orchestration,
      String instanceId,
      I input,
      EventQueue<T> queue,
      List<T> messages) {
    FirstMail mail = FirstMail.to(queue, messages);
    startAndEnqueue(orchestration, instanceId, input, mail, StartOptions.defaults());
  }

  /**
   * As {@link #startAndEnqueue(Orchestration, String, Object, EventQueue, List)}, with options.
   * With {@link StartOptions#restartIfEnded} an instance that has ended begins its next execution
   * with the messages.
   *
   * @throws ClientException.InstanceEnded if it has ended and is not to be restarted
   * @throws ClientException.InstanceExists if it is there and has to be new
   */
  public <I> void startAndEnqueue(
      Orchestration<I, ?> orchestration,
      String instanceId,
      I input,
      FirstMail mail,
      StartOptions options) {
    WorkItem.StartOrchestration start =
        startItem(orchestration.name(), instanceId, encode(input), options);
    List<WorkItem> messages = new ArrayList<>();
    for (FirstMail.Letter<?> letter : mail.letters()) {
      messages.add(
          new WorkItem.QueueMessage(instanceId, letter.queue().name(), encode(letter.message())));
    }
    calls.send(
        ClientCall.Operation.START,
        instanceId,
        orchestration.name(),
        () -> outbox.startWith(start, options, messages));
  }

  private static WorkItem.StartOrchestration startItem(
      String orchestration, String instanceId, String input, StartOptions options) {
    check(TextLimit.INSTANCE_ID, instanceId);
    check(TextLimit.ORCHESTRATION_NAME, orchestration);
    if (instanceId.startsWith("sub::") || instanceId.contains("::sub::")) {
      throw new ClientException.InvalidInput(
          "instance id '" + instanceId + "' is reserved for generated ids of children", null);
    }
    return WorkItem.StartOrchestration.byClient(
        instanceId, orchestration, input, options.version(), options.autoPrune());
  }

  private static void check(TextLimit limit, String text) {
    String complaint = limit.complaint(text);
    if (complaint != null) {
      throw new ClientException.InvalidInput(complaint, null);
    }
  }

  /**
   * Raises a positional event. For an unknown instance it is kept for a while.
   *
   * @throws ClientException.InstanceEnded if the instance has ended
   */
  public <T> void raiseEvent(String instanceId, ExternalEvent<T> event, T data) {
    raiseEvent(instanceId, event.name(), encode(data));
  }

  /** Raises a positional event with text as payload. */
  public void raiseEvent(String instanceId, String name, String data) {
    check(TextLimit.EVENT_NAME, name);
    send(
        ClientCall.Operation.RAISE_EVENT,
        name,
        new WorkItem.ExternalRaised(instanceId, name, data));
  }

  /**
   * Puts a message into a mailbox.
   *
   * @throws ClientException.InstanceEnded if the instance has ended
   * @throws ClientException.InstanceNotFound if nobody knows it and the nodes do not hold messages
   */
  public <T> void enqueue(String instanceId, EventQueue<T> queue, T message) {
    enqueue(instanceId, queue.name(), encode(message));
  }

  /** Puts a text message into a mailbox. */
  public void enqueue(String instanceId, String queue, String message) {
    check(TextLimit.QUEUE_NAME, queue);
    send(
        ClientCall.Operation.ENQUEUE, queue, new WorkItem.QueueMessage(instanceId, queue, message));
  }

  /**
   * Asks an instance to stop. For an unknown instance it is kept for a while.
   *
   * @throws ClientException.InstanceEnded if the instance has ended
   */
  public void cancel(String instanceId, String reason) {
    String remark = TextLimit.remark(reason);
    send(ClientCall.Operation.CANCEL, null, new WorkItem.CancelInstance(instanceId, remark, null));
  }

  private void send(ClientCall.Operation operation, @Nullable String name, WorkItem message) {
    check(TextLimit.INSTANCE_ID, message.instance());
    calls.send(operation, message.instance(), name, () -> outbox.send(message));
  }

  /** How an instance stands now. */
  public OrchestrationStatus status(String instanceId) {
    Optional<InstanceStatus> stored = store.status(instanceId);
    if (stored.isEmpty()) {
      return new OrchestrationStatus.NotFound();
    }
    InstanceStatus status = stored.get();
    String output = Objects.requireNonNullElse(status.output(), "");
    return switch (status.status()) {
      case RUNNING, CONTINUED_AS_NEW -> new OrchestrationStatus.Running(status.customStatus());
      case COMPLETED -> new OrchestrationStatus.Completed(output, status.customStatus());
      case FAILED ->
          new OrchestrationStatus.Failed(failure(instanceId, output), status.customStatus());
    };
  }

  private ErrorDetails failure(String instanceId, String output) {
    return store
        .readLast(instanceId)
        .map(event -> event.kind())
        .filter(EventKind.OrchestrationFailed.class::isInstance)
        .map(kind -> ((EventKind.OrchestrationFailed) kind).details())
        .orElseGet(
            () -> new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, output));
  }

  /**
   * Starts an instance and waits for its result: {@link #start} and {@link #waitFor} in one, with
   * less traffic. If the id exists already, it waits for what runs under it.
   *
   * @throws ClientException.OrchestrationFailed if it failed
   * @throws ClientException.Timeout if it did not end in time; it goes on nevertheless
   * @throws ClientException.Interrupted if the caller is interrupted; it goes on nevertheless
   */
  public <I, O> O run(
      Orchestration<I, O> orchestration, String instanceId, I input, Duration timeout) {
    try (StatusWait<Ending> wait = endOf(instanceId)) {
      start(orchestration, instanceId, input);
      String output = result(instanceId, timeout, () -> wait.awaitNew(timeout));
      return decode(output, orchestration);
    }
  }

  /**
   * Waits for an instance to end and gives its result.
   *
   * @throws ClientException.OrchestrationFailed if it failed
   * @throws ClientException.Timeout if it did not end in time
   * @throws ClientException.Interrupted if the caller is interrupted
   */
  public <O> O waitFor(Orchestration<?, O> orchestration, String instanceId, Duration timeout) {
    try (StatusWait<Ending> wait = endOf(instanceId)) {
      String output = result(instanceId, timeout, () -> wait.await(timeout));
      return decode(output, orchestration);
    }
  }

  private StatusWait<Ending> endOf(String instanceId) {
    return new StatusWait<>(
        store, instanceId, () -> Ending.of(status(instanceId)), Ending::isReached, Ending.HEARING);
  }

  private String result(String instanceId, Duration timeout, Supplier<Optional<Ending>> wait) {
    return calls
        .await(instanceId, () -> wait.get().orElseThrow(() -> timeout(instanceId, timeout)))
        .result();
  }

  /** Waits for an instance to end; it is completed or failed then. */
  public OrchestrationStatus waitForCompletion(String instanceId, Duration timeout) {
    return waitUntil(instanceId, timeout, OrchestrationStatus::isTerminal);
  }

  private OrchestrationStatus waitUntil(
      String instanceId, Duration timeout, Predicate<OrchestrationStatus> enough) {
    return calls.await(
        instanceId,
        () ->
            seen(instanceId, timeout, () -> status(instanceId), enough)
                .orElseThrow(() -> timeout(instanceId, timeout)));
  }

  private <T> Optional<T> seen(
      String instanceId, Duration timeout, Supplier<T> look, Predicate<T> enough) {
    try (StatusWait<T> wait =
        new StatusWait<>(store, instanceId, look, enough, StatusWait.anyChange())) {
      return wait.await(timeout);
    }
  }

  /** Waits until the custom status is this text, or the instance has ended. */
  public OrchestrationStatus waitForCustomStatus(String instanceId, String text, Duration timeout) {
    return waitUntil(
        instanceId,
        timeout,
        status -> status.isTerminal() || text.equals(status.customStatus().status()));
  }

  /**
   * Waits until the custom status changed after {@code lastSeenVersion}, or the instance has ended.
   */
  public OrchestrationStatus waitForStatusChange(
      String instanceId, long lastSeenVersion, Duration timeout) {
    return waitUntil(
        instanceId,
        timeout,
        status -> status.isTerminal() || status.customStatus().version() > lastSeenVersion);
  }

  /** The committed text of a key; empty if instance or key is unknown. */
  public Optional<String> kvText(String instanceId, String key) {
    return store.kvValue(instanceId, key);
  }

  /** The committed value of a key; empty if instance or key is unknown. */
  public <T> Optional<T> kv(String instanceId, String key, Class<T> type) {
    return kvText(instanceId, key).map(text -> decodeKv(text, type));
  }

  /** All committed texts of an instance, in key order. */
  public Map<String, String> kvAll(String instanceId) {
    return store.kvAllValues(instanceId);
  }

  /** Waits until a key has a value. */
  public <T> T waitForKv(String instanceId, String key, Class<T> type, Duration timeout) {
    return calls.await(
        instanceId,
        () ->
            seen(instanceId, timeout, () -> kvText(instanceId, key), Optional::isPresent)
                .flatMap(found -> found)
                .map(text -> decodeKv(text, type))
                .orElseThrow(() ->
                    new ClientException.Timeout(
                        "instance '%s' had no value for key '%s' within %d ms"
                            .formatted(instanceId, key, timeout.toMillis()))));
  }

  private <T> T decodeKv(String text, Class<T> type) {
    try {
      return converter.decodeJson(text, TypeRef.of(type));
    } catch (DataConversionException e) {
      throw new ClientException.InvalidInput("KV deserialization error: " + e.getMessage(), e);
    }
  }

  /** Size figures of an instance; empty if it is unknown. */
  public Optional<InstanceStats> stats(String instanceId) {
    return store.instanceStats(instanceId);
  }

  private static ClientException timeout(String instanceId, Duration timeout) {
    return new ClientException.Timeout(
        "instance '%s' did not end within %d ms".formatted(instanceId, timeout.toMillis()));
  }

  private String encode(Object value) {
    try {
      return converter.encode(value);
    } catch (DataConversionException e) {
      throw new ClientException.InvalidInput(String.valueOf(e.getMessage()), e);
    }
  }

  private <O> O decode(String output, Orchestration<?, O> orchestration) {
    try {
      return converter.decode(output, orchestration.output());
    } catch (DataConversionException e) {
      throw new ClientException.InvalidInput(String.valueOf(e.getMessage()), e);
    }
  }
}
