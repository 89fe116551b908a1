package io.duroxide.client;

import io.duroxide.threads.ThreadMaker;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A blocking call on a virtual thread of its own, seen as a future. */
final class AsyncCall {
  private AsyncCall() {}

  /** Begins the call; whoever completes or cancels the future first interrupts it. */
  @SuppressWarnings("FutureReturnValueIgnored") // What fails is told by the result itself.
  static <T extends @Nullable Object> CompletableFuture<T> start(Supplier<? extends T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread = ThreadMaker.SYSTEM.virtual("duroxide-client", () -> answer(result, call));
    thread.start();
    result.whenComplete((value, failure) -> thread.interrupt());
    return result;
  }

  private static <T extends @Nullable Object> void answer(
      CompletableFuture<T> result, Supplier<? extends T> call) {
    try {
      result.complete(call.get());
    } catch (Throwable failure) {
      result.completeExceptionally(failure);
    }
  }
}
