package io.duroxide.proof.program;

import io.duroxide.api.ContinueOptions;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.Retention;
import java.time.Duration;

/** Runs programs as orchestration code. Thread-safe. */
final class Interpreter {
  static final String NEVER = "never";
  static final String BIG_KEY = "big";

  /** Above what one value may have. */
  static final int BIG_SIZE = 70_000;

  String run(OrchestrationContext ctx, Program program) throws Exception {
    CodeFrame frame = new CodeFrame(ctx, "r" + program.part());
    frame.all(program.current().body());
    String notes = program.carried() + frame.text();
    return switch (program.current().end()) {
      case End.Return() -> notes;
      case End.Fail(Failing failing, String text) -> throw ProgramFailure.of(failing, text + notes);
      case End.Exceed() -> {
        ctx.timer(Duration.ZERO).await();
        ctx.kv().putText(BIG_KEY, "x".repeat(BIG_SIZE));
        yield notes;
      }
      case End.Continue next -> goOn(ctx, program.next(notes), next);
      case End.AwaitCancel(int position, String ignored) -> {
        ctx.setCustomStatus(ClientScript.statusAt(position, ""));
        yield ctx.waitForEvent(NEVER).await();
      }
      case End.AwaitParent() -> ctx.waitForEvent(NEVER).await();
    };
  }

  private static String goOn(OrchestrationContext ctx, Program next, End.Continue how) {
    if (how.isPlain()) {
      return ctx.continueAsNew(next);
    }
    ContinueOptions options = ContinueOptions.defaults();
    if (how.version() != null) {
      options = options.withVersion(how.version());
    }
    if (how.keepLast() > 0) {
      options = options.withPrune(Retention.keepLast(how.keepLast()));
    }
    return ctx.continueAsNew(next, options);
  }
}
