package io.duroxide.proof.program;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ActivityHandler;
import io.duroxide.client.Client;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** What programs call. Outcomes depend on the input and on what is recorded, on nothing else. */
final class ProgramActivities {
  static final Activity<String, String> ECHO = Activity.of("echo", String.class, String.class);
  static final Activity<Tries, String> FLAKY = Activity.of("flaky", Tries.class, String.class);
  static final Activity<Wrong, String> BROKEN = Activity.of("broken", Wrong.class, String.class);
  static final Activity<Nap, String> SLOW = Activity.of("slow", Nap.class, String.class);
  static final Activity<String, String> STAY = Activity.of("stay", String.class, String.class);
  static final Activity<Signal, String> SIGNAL = Activity.of("signal", Signal.class, String.class);
  static final Activity<Undo, String> UNDO = Activity.of("undo", Undo.class, String.class);

  /** Longer than any test waits for an activity to be cancelled. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final Duration PAUSE = Duration.ofMillis(50);

  record Tries(String label, int failures) {}

  record Wrong(String label, Failing failing) {}

  record Nap(String label, int millis) {}

  record Signal(String event, String data) {}

  record Undo(String label, boolean fails) {}

  private final ActivityLedger ledger;

  private ProgramActivities(ActivityLedger ledger) {
    this.ledger = ledger;
  }

  static void register(DuroxideRuntime.Builder node, ActivityLedger ledger) {
    ProgramActivities all = new ProgramActivities(ledger);
    node.activity(ECHO, all.told((ctx, text) -> text))
        .activity(FLAKY, all.told(ProgramActivities::flaky))
        .activity(BROKEN, all.told(ProgramActivities::broken))
        .activity(SLOW, all.told(ProgramActivities::slow))
        .activity(STAY, all.told(ProgramActivities::stay))
        .activity(SIGNAL, all.told(ProgramActivities::signal))
        .activity(UNDO, all.told(ProgramActivities::undo));
  }

  private <I> ActivityHandler<I, String> told(ActivityHandler<I, String> handler) {
    return (ctx, input) -> {
      ledger.begin(ctx, input.toString());
      try {
        String result = handler.run(ctx, input);
        ledger.end(ctx, result);
        return result;
      } catch (Exception e) {
        ledger.end(ctx, "!" + e.getMessage());
        throw e;
      }
    };
  }

  private static String flaky(ActivityContext ctx, Tries tries) throws Exception {
    long attempt = untilAnswered(ctx, () -> attempt(ctx));
    if (attempt <= tries.failures()) {
      throw new IllegalStateException(failure(tries.label(), attempt));
    }
    return flakyResult(tries.label(), attempt);
  }

  static String failure(String label, long attempt) {
    return label + " fails at attempt " + attempt;
  }

  static String flakyResult(String label, long attempt) {
    return label + " at attempt " + attempt;
  }

  /** Which attempt this is: how often the same call stands in the history before it. */
  private static long attempt(ActivityContext ctx) {
    List<Event> history =
        ctx.service(Provider.class)
            .readWithExecution(new ExecutionKey(ctx.key().instance(), ctx.key().executionId()));
    EventKind own =
        history.stream()
            .filter(event -> event.id() == ctx.key().activityId())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException(ctx.key() + " stands in no history"))
            .kind();
    return history.stream()
        .filter(event -> event.id() <= ctx.key().activityId())
        .filter(event -> event.kind().equals(own))
        .count();
  }

  private static String broken(ActivityContext ctx, Wrong wrong) {
    throw ProgramFailure.of(wrong.failing(), wrong.label() + " is broken");
  }

  private static String slow(ActivityContext ctx, Nap nap) throws InterruptedException {
    ctx.awaitCancelled(Duration.ofMillis(nap.millis()));
    return nap.label();
  }

  private static String stay(ActivityContext ctx, String label) throws InterruptedException {
    return ctx.awaitCancelled(LONG) ? label : label + " stayed too long";
  }

  private static String signal(ActivityContext ctx, Signal signal) throws Exception {
    return untilAnswered(
        ctx,
        () -> {
          Client.of(ctx).raiseEvent(ctx.instanceId(), signal.event(), signal.data());
          return signal.event();
        });
  }

  private static String undo(ActivityContext ctx, Undo undo) {
    if (undo.fails()) {
      throw new IllegalStateException(undo.label() + " is not undone");
    }
    return undo.label();
  }

  /** Trouble of the store is none of the activity: it asks again. */
  private static <T> T untilAnswered(ActivityContext ctx, Callable<T> question) throws Exception {
    while (true) {
      try {
        return question.call();
      } catch (RuntimeException e) {
        ctx.log().debug("asked in vain", e);
        if (ctx.awaitCancelled(PAUSE)) {
          throw e;
        }
      }
    }
  }
}
