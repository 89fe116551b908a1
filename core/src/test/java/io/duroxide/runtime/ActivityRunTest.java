package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.memory.MemoryProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A run of an activity")
class ActivityRunTest {
  private final VirtualTime time = new VirtualTime();
  private final MemoryProvider provider = MemoryProvider.create(time::instant);
  private final CompletableFuture<Thread> performer = new CompletableFuture<>();
  private final ActivityRun run = run();

  private ActivityRun run() {
    WorkItem.ActivityExecute item =
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, 2),
            "Work",
            "{}",
            ActivityRouting.ANYWHERE,
            ActivityOrigin.UNKNOWN);
    return new ActivityRun(
        item, new LockedWork(item.key(), item, null, "token", 1), Node.parts(provider, time));
  }

  @AfterEach
  void close() {
    provider.close();
  }

  private Thread performer() throws Exception {
    return performer.get(30, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("whoever cancels it does not perform its actions")
  void actionsOnTheirOwn() throws Exception {
    run.onCancel(() -> performer.complete(Thread.currentThread()));
    run.cancel();
    assertThat(performer()).isNotEqualTo(Thread.currentThread());
    assertThat(run.isCancelled()).isTrue();
  }

  @Test
  @DisplayName("an action that throws an error harms neither whoever cancels nor the next action")
  void actionFails() throws Exception {
    run.onCancel(() -> {
      throw new AssertionError("injected");
    });
    run.onCancel(() -> performer.complete(Thread.currentThread()));
    run.cancel();
    assertThat(performer()).isNotNull();
  }

  @Test
  @DisplayName("an action that comes too late is performed by who brings it")
  void lateAction() throws Exception {
    run.cancel();
    run.onCancel(() -> performer.complete(Thread.currentThread()));
    assertThat(performer()).isEqualTo(Thread.currentThread());
  }
}
