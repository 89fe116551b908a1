package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.NodeOffer;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.ProviderOperation.Outcome;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Instrumented provider")
class InstrumentedProviderTest {
  private static final Duration LOCK = Duration.ofSeconds(30);
  private static final Set<String> UNRECORDED =
      Set.of(
          "name",
          "version",
          "now",
          "localBus",
          "shortCuts",
          "health",
          "takeDropped",
          "lookAtClock",
          "management",
          "transfer",
          "close");

  /** What they answer with is decorated, too. */
  private static final Set<String> DECORATED = Set.of("management", "transfer");

  private final List<Call> calls = new ArrayList<>();
  private final Deque<Object> answers = new ArrayDeque<>();
  private final List<ProviderOperation> heard = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final ProviderAdmin admin = scripted(ProviderAdmin.class);
  private final InstanceTransfer transfer = scripted(InstanceTransfer.class);
  private final Provider inner = scripted(Provider.class);
  private final Provider provider = new InstrumentedProvider(inner, heard::add, nanos::get);

  private record Call(String method, List<Object> arguments) {}

  @TestFactory
  @DisplayName("every operation is forwarded as it is and recorded once")
  Stream<DynamicTest> forwards() {
    return Stream.of(Provider.class, ProviderAdmin.class, InstanceTransfer.class)
        .flatMap(InstrumentedProviderTest::methods)
        .map(method -> dynamicTest(signature(method), () -> forwards(method)));
  }

  @Test
  @DisplayName("an answer is measured with the clock it was given")
  void measures() {
    answers.add(3);
    assertThat(provider.renewSessionLock(List.of("a"), LOCK, LOCK)).isEqualTo(3);
    assertThat(heard)
        .containsExactly(
            new ProviderOperation("renewSessionLock", Duration.ofNanos(1), Outcome.SUCCESS, 3));
  }

  @Test
  @DisplayName("a fetch that hits at once never waits and is measured")
  void hitAtOnce() throws Exception {
    var locked = Optional.of(work());
    answers.add(locked);
    assertThat(provider.fetchWorkItem(WorkFetch.of(LOCK, Duration.ofMinutes(5)))).isSameAs(locked);
    assertThat(calls)
        .containsExactly(new Call("fetchWorkItem", List.of(WorkFetch.of(LOCK, Duration.ZERO))));
    assertThat(heard)
        .containsExactly(
            new ProviderOperation("fetchWorkItem", Duration.ofNanos(1), Outcome.SUCCESS, 1));
  }

  @Test
  @DisplayName("a fetch that has to wait is recorded once, without a duration")
  void hitAfterWaiting() throws Exception {
    var request = WorkFetch.of(LOCK, Duration.ofMinutes(5));
    answers.add(Optional.empty());
    answers.add(Optional.of(work()));
    assertThat(provider.fetchWorkItem(request)).isPresent();
    assertThat(calls.getLast()).isEqualTo(new Call("fetchWorkItem", List.of(request)));
    assertThat(heard)
        .containsExactly(new ProviderOperation("fetchWorkItem", null, Outcome.SUCCESS, 1));
  }

  @Test
  @DisplayName("a fetch interrupted while waiting is a timeout")
  void interrupted() {
    answers.add(List.of());
    answers.add(new InterruptedException());
    var request = OrchestrationFetch.of(LOCK, Duration.ofMinutes(5));
    assertThatThrownBy(() -> provider.fetchOrchestrationItems(request, 2))
        .isInstanceOf(InterruptedException.class);
    assertThat(heard)
        .containsExactly(
            new ProviderOperation(
                "fetchOrchestrationItems", null, new Outcome.Failure(Kind.TIMEOUT), 0));
  }

  @Test
  @DisplayName("a failure is passed on and recorded by its kind")
  void failure() {
    var lost = new ProviderException(Kind.LOCK_LOST, "ackWorkItem", "gone");
    answers.add(lost);
    assertThatThrownBy(() -> provider.ackWorkItem("t", null)).isSameAs(lost);
    answers.add(new IllegalStateException("no idea"));
    assertThatThrownBy(() -> provider.read("x")).isInstanceOf(IllegalStateException.class);
    assertThat(heard)
        .extracting(ProviderOperation::outcome)
        .containsExactly(new Outcome.Failure(Kind.LOCK_LOST), new Outcome.Failure(Kind.UNKNOWN));
  }

  @Test
  @DisplayName("a listener that fails does not spoil the operation")
  void badListener() {
    Provider noisy =
        new InstrumentedProvider(
            inner,
            operation -> {
              throw new IllegalStateException("listener");
            });
    answers.add(2);
    assertThat(noisy.purgeOrphanMessages(LOCK)).isEqualTo(2);
  }

  @Test
  @DisplayName("management is offered exactly when the inner provider offers it")
  void management() {
    answers.add(Optional.empty());
    assertThat(provider.management()).isEmpty();
    answers.add(Optional.of(admin));
    assertThat(provider.management()).isPresent();
  }

  private void forwards(Method method) throws Exception {
    calls.clear();
    heard.clear();
    Object answer = sample(method.getReturnType());
    Object target = target(method.getDeclaringClass());
    calls.clear();
    answers.add(method.getName().equals("transfer") ? transfer : answer);
    Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(type -> sample(type)).toArray();
    Object returned = method.invoke(target, arguments);
    assertThat(calls).containsExactly(new Call(method.getName(), Arrays.asList(arguments)));
    if (method.getReturnType() != void.class && !DECORATED.contains(method.getName())) {
      assertThat(returned).isEqualTo(answer);
    }
    assertThat(heard)
        .extracting(ProviderOperation::operation)
        .isEqualTo(UNRECORDED.contains(method.getName()) ? List.of() : List.of(method.getName()));
  }

  private Object target(Class<?> type) {
    if (type == Provider.class) {
      return provider;
    }
    answers.add(Optional.of(admin));
    ProviderAdmin decorated = provider.management().orElseThrow();
    if (type == ProviderAdmin.class) {
      return decorated;
    }
    answers.add(transfer);
    return decorated.transfer();
  }

  private static Stream<Method> methods(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods()).filter(method -> !method.isSynthetic());
  }

  private static String signature(Method method) {
    return method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  /** Answers with the next of {@code answers}; an exception among them is thrown. */
  private <T> T scripted(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              nanos.incrementAndGet();
              calls.add(
                  new Call(
                      method.getName(), arguments == null ? List.of() : Arrays.asList(arguments)));
              Object answer = answers.poll();
              if (answer instanceof Throwable failure) {
                throw failure;
              }
              return method.getReturnType() == void.class ? null : answer;
            }));
  }

  private static Object sample(Class<?> type) {
    var samples =
        Map.<Class<?>, Object>ofEntries(
            Map.entry(void.class, ""),
            Map.entry(int.class, 7),
            Map.entry(long.class, 8L),
            Map.entry(boolean.class, true),
            Map.entry(String.class, "text"),
            Map.entry(Duration.class, LOCK),
            Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(List.class, List.of("one")),
            Map.entry(Collection.class, List.of("one")),
            Map.entry(Map.class, Map.of("key", "value")),
            Map.entry(Optional.class, Optional.empty()),
            Map.entry(Runnable.class, (Runnable) () -> {}),
            Map.entry(LocalBus.class, new LocalBus()),
            Map.entry(WorkItem.class, new WorkItem.ExternalRaised("x", "go", "")),
            Map.entry(ExecutionKey.class, new ExecutionKey("x", 1)),
            Map.entry(OrchestrationFetch.class, OrchestrationFetch.of(LOCK, Duration.ZERO)),
            Map.entry(WorkFetch.class, WorkFetch.of(LOCK, Duration.ZERO)),
            Map.entry(
                Sending.class,
                Sending.of(new WorkItem.ExternalRaised("x", "go", ""), OrphanQueuePolicy.DROP)),
            Map.entry(SendAnswer.class, SendAnswer.ACCEPTED),
            Map.entry(TurnCommit.class, TurnCommit.nothing(1)),
            Map.entry(TurnSource.class, new TurnSource.Fetched("token")),
            Map.entry(Set.class, Set.of(ShortCut.STEP)),
            Map.entry(StoreHealth.class, new StoreHealth(2, 1, List.of("It broke."))));
    return samples.containsKey(type) ? samples.get(type) : adminSample(type);
  }

  private static Object adminSample(Class<?> type) {
    var now = Instant.EPOCH;
    var status = ExecutionStatus.RUNNING;
    var info =
        new InstanceInfo(
            new ExecutionKey("x", 1),
            new ExecutionCode(new OrchestrationIdentity("o", "1.0.0"), null),
            status,
            null,
            new CustomStatus(null, 0),
            null,
            new InstanceTimes(now, now, null));
    return Map.<Class<?>, Object>ofEntries(
            Map.entry(InstanceInfo.class, info),
            Map.entry(InstancePage.class, new InstancePage(List.of(info), null)),
            Map.entry(ExecutionInfo.class, new ExecutionInfo(1, status, null, now, null, 1, null)),
            Map.entry(SystemMetrics.class, new SystemMetrics(1, 1, 1, 1, 0, 0)),
            Map.entry(
                QueueDepths.class,
                new QueueDepths(new QueueDepth(1, 3, 4), new QueueDepth(2, 0, 5))),
            Map.entry(BulkDeletion.class, BulkDeletion.DEFAULT),
            Map.entry(OrphanFilter.class, OrphanFilter.ALL),
            Map.entry(
                OrphanPage.class,
                new OrphanPage(List.of(new Orphan(info, OrphanKind.PARENT_GONE)), null)),
            Map.entry(NodeOffer.class, NodeOffer.of(List.of(), Map.of(), Set.of(), true, null)),
            Map.entry(InstanceQuery.class, InstanceQuery.firstPage(10)),
            Map.entry(InstanceFilter.class, InstanceFilter.ALL),
            Map.entry(PruneOptions.class, PruneOptions.ALL),
            Map.entry(DeleteResult.class, new DeleteResult(1, 2, 3, 4)),
            Map.entry(PruneResult.class, new PruneResult(1, 2, 3)),
            Map.entry(
                InstanceTransfer.EventSource.class,
                (InstanceTransfer.EventSource) (key, after, limit) -> List.of()),
            Map.entry(
                InstanceSnapshot.class,
                new InstanceSnapshot(
                    "x",
                    null,
                    0,
                    List.of(),
                    List.of(),
                    new InstanceSnapshot.Inbox(null, MailboxRules.FIRST, List.of()),
                    List.of())))
        .get(type);
  }

  private static LockedWork work() {
    return new LockedWork(new ActivityKey("x", 1, 2), null, "damaged", "token", 1);
  }
}
