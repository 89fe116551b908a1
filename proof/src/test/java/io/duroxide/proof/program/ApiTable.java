package io.duroxide.proof.program;

import io.duroxide.api.Backoff;
import io.duroxide.api.CancellationScope;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.KeyValueStore;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.Saga;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which operations of programs use which methods of the authoring API. */
final class ApiTable {
  static final List<Class<?>> API =
      List.of(
          OrchestrationContext.class,
          DurableFuture.class,
          KeyValueStore.class,
          Saga.class,
          CancellationScope.class);

  private final Map<String, Predicate<Record>> table = new TreeMap<>();

  private ApiTable() {
    identity();
    activities();
    eventsAndChildren();
    composition();
    state();
    ends();
  }

  /** By the name of a method, whether an operation uses it. */
  static Map<String, Predicate<Record>> uses() {
    return new ApiTable().table;
  }

  /** The public methods, and the kinds of pauses, as the table names them. */
  static Set<String> published() {
    Set<String> all = new TreeSet<>();
    for (Class<?> type : API) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic()) {
          all.add(name(method));
        }
      }
    }
    for (Class<?> pause : Backoff.class.getPermittedSubclasses()) {
      all.add("Backoff." + pause.getSimpleName());
    }
    return all;
  }

  static String name(Method method) {
    return method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(",", "(", ")"));
  }

  private void put(Class<?> type, String method, Predicate<Record> used) {
    table.put(type.getSimpleName() + "." + method, used);
  }

  private void ctx(String method, Predicate<Record> used) {
    put(OrchestrationContext.class, method, used);
  }

  private static Predicate<Record> any(Class<?>... kinds) {
    return operation -> Arrays.stream(kinds).anyMatch(kind -> kind.isInstance(operation));
  }

  private void identity() {
    for (String method :
        List.of("instanceId", "executionId", "orchestrationName", "orchestrationVersion")) {
      ctx(method + "()", any(Op.Identity.class));
    }
    ctx("converter()", any(Op.Identity.class));
    ctx("isReplaying()", any(Op.Log.class));
    ctx("log()", any(Op.Log.class));
    ctx("utcNow()", any(Op.Now.class));
    ctx("newGuid()", any(Op.Guid.class));
  }

  private static Predicate<Record> echo(Task.Call... calls) {
    return operation ->
        operation instanceof Task.Echo(Task.Call call) && List.of(calls).contains(call);
  }

  private void activities() {
    ctx("call(Activity,Object)", echo(Task.Call.TYPED).or(any(Task.Broken.class, Task.Slow.class)));
    ctx("call(Activity,Object,ActivityOptions)", echo(Task.Call.OPTIONS).or(any(Task.Flaky.class)));
    ctx("callActivity(String,String)", echo(Task.Call.NAMED));
    ctx("callActivity(String,String,ActivityOptions)", echo(Task.Call.TAGGED, Task.Call.SESSION));
    ctx("timer(Duration)", any(Task.Timer.class, Task.FarTimer.class));
    for (Task.Pause pause : Task.Pause.values()) {
      String name = pause.name().charAt(0) + pause.name().substring(1).toLowerCase(Locale.ROOT);
      table.put(
          "Backoff." + name,
          operation -> operation instanceof Task.Flaky flaky && flaky.pause() == pause);
    }
  }

  private void eventsAndChildren() {
    ctx(
        "waitFor(ExternalEvent)",
        operation ->
            (operation instanceof Op.Gate gate && gate.typed())
                || (operation instanceof Task.Signalled signalled && signalled.typed()));
    ctx(
        "waitForEvent(String)",
        operation ->
            (operation instanceof Op.Gate gate && !gate.typed())
                || operation instanceof Task.NeverEvent);
    ctx("dequeue(EventQueue)", operation -> operation instanceof Task.Dequeue read && read.typed());
    ctx(
        "dequeueEvent(String)",
        operation -> operation instanceof Task.Dequeue read && !read.typed());
    ctx(
        "call(Orchestration,Object)",
        operation -> operation instanceof Task.Child child && child.typed() && child.isPlain());
    ctx(
        "call(Orchestration,Object,ChildOptions)",
        operation -> operation instanceof Task.Child child && child.typed() && !child.isPlain());
    ctx(
        "callOrchestration(String,String,ChildOptions)",
        operation -> operation instanceof Task.Child child && !child.typed());
    ctx(
        "startDetached(Orchestration,String,Object)",
        operation -> operation instanceof Op.Detach detach && detach.typed());
    ctx(
        "startDetached(String,String,ChildOptions)",
        operation -> operation instanceof Op.Detach detach && !detach.typed());
    ctx("readKv(String,String)", any(Op.ReadOther.class, Task.ReadNothing.class));
  }

  private static Predicate<Record> join(int operands) {
    return operation ->
        operation instanceof Op.Join(List<Integer> slots, boolean typed)
            && typed
            && slots.size() == operands;
  }

  private static Predicate<Record> select(int operands) {
    return operation ->
        operation instanceof Op.Select(List<Integer> slots, boolean typed)
            && typed
            && slots.size() == operands;
  }

  private void composition() {
    ctx("async(Branch)", any(Task.Branch.class));
    ctx("join(List)", operation -> operation instanceof Op.Join join && !join.typed());
    ctx("join(DurableFuture,DurableFuture)", join(2));
    ctx("join(DurableFuture,DurableFuture,DurableFuture)", join(3));
    ctx("all(List)", any(Op.All.class));
    ctx("select(List)", operation -> operation instanceof Op.Select select && !select.typed());
    ctx("select(DurableFuture,DurableFuture)", select(2));
    ctx("select(DurableFuture,DurableFuture,DurableFuture)", select(3));
    ctx("map(List,int,BranchFunction)", any(Op.MapAll.class));
    ctx("saga()", any(Op.SagaBlock.class));
    ctx("cancellationScope()", any(Op.Scope.class));
    put(CancellationScope.class, "own(DurableFuture)", any(Op.Scope.class));
    put(CancellationScope.class, "close()", any(Op.Scope.class));
    put(Saga.class, "close()", saga(block -> block.end() != Op.SagaEnd.COMMIT));
    put(Saga.class, "commit()", saga(block -> block.end() == Op.SagaEnd.COMMIT));
    put(
        Saga.class,
        "undo(Activity,Object)",
        saga(block -> block.steps().stream().anyMatch(step -> !step.byCode())));
    put(
        Saga.class,
        "undo(Branch)",
        saga(block -> block.steps().stream().anyMatch(Op.SagaStep::byCode)));
    put(DurableFuture.class, "await()", any(Op.Await.class));
    put(DurableFuture.class, "await(Duration)", any(Op.AwaitFor.class));
    put(DurableFuture.class, "isDone()", any(Op.IsDone.class));
    put(DurableFuture.class, "map(Function)", any(Task.Mapped.class));
    put(DurableFuture.class, "cancel()", any(Op.Cancel.class));
  }

  private static Predicate<Record> saga(Predicate<Op.SagaBlock> which) {
    return operation -> operation instanceof Op.SagaBlock block && which.test(block);
  }

  private void state() {
    ctx("kv()", any(Op.Put.class, Op.Get.class));
    put(KeyValueStore.class, "put(String,Object)", any(Op.Put.class));
    put(KeyValueStore.class, "get(String,TypeRef)", any(Op.GetWrong.class));
    put(KeyValueStore.class, "get(String,Class)", any(Op.Get.class));
    put(KeyValueStore.class, "putText(String,String)", any(Op.PutText.class));
    put(KeyValueStore.class, "getText(String)", any(Op.GetText.class));
    put(KeyValueStore.class, "all()", any(Op.GetAll.class));
    put(KeyValueStore.class, "keys()", any(Op.GetAll.class));
    put(KeyValueStore.class, "size()", any(Op.GetAll.class));
    put(KeyValueStore.class, "clear(String)", any(Op.Clear.class));
    put(KeyValueStore.class, "clearAll()", any(Op.ClearAll.class));
    put(KeyValueStore.class, "pruneUpdatedBefore(Instant)", any(Op.PruneValues.class));
    ctx("setCustomStatus(String)", any(Op.SetStatus.class));
    ctx("resetCustomStatus()", any(Op.ResetStatus.class));
    ctx("customStatus()", any(Op.ReadStatus.class));
    ctx("pruneHistory(Retention)", any(Op.PruneHistory.class));
    ctx("endWhenRead(EventQueue[])", any(Op.EndWhenRead.class));
    ctx("endWhenRead(String)", any(Op.EndWhenRead.class));
  }

  private void ends() {
    ctx(
        "continueAsNew(Object)",
        operation -> operation instanceof End.Continue next && next.isPlain());
    ctx(
        "continueAsNew(Object,ContinueOptions)",
        operation -> operation instanceof End.Continue next && !next.isPlain());
  }
}
