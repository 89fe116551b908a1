package io.duroxide.proof.program;

import io.duroxide.api.Awaited;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.Retention;
import io.duroxide.replay.OrchestrationCode;
import io.duroxide.runtime.DuroxideRuntime;

/**
 * Eternal instances that carry a model in their values: each execution knows from its input how
 * many commands were applied before it, so a stale or empty value shows at once.
 */
public final class EntityCode {
  public static final Orchestration<Rest, String> ENTITY =
      Orchestration.of("entity", Rest.class, String.class);
  public static final EventQueue<Command> COMMANDS = EventQueue.of("commands", Command.class);

  /** The value that names the query which was answered last. */
  public static final String ANSWER = "answer";

  private static final int PRUNE_EVERY = 5;

  /**
   * What one execution gets.
   *
   * @param each how many commands an execution reads
   * @param applied how many were applied before
   */
  public record Rest(int each, long applied) {
    /** What a new entity gets. */
    public static Rest start(int each) {
      return new Rest(each, 0);
    }
  }

  private EntityCode() {}

  static void register(DuroxideRuntime.Builder node) {
    for (String version : ProgramCode.VERSIONS) {
      node.orchestration(ENTITY, version, EntityCode::run);
    }
  }

  static OrchestrationCode code() {
    return (ctx, input) ->
        ctx.converter().encode(run(ctx, ctx.converter().decode(input, ENTITY.input())));
  }

  private static String run(OrchestrationContext ctx, Rest rest) {
    long applied = EntityState.read(ctx.kv()).applied();
    if (applied != rest.applied()) {
      throw new OrchestrationFailure(
          "entity '%s' began execution %d with %d commands in its values, and there were %d"
              .formatted(ctx.instanceId(), ctx.executionId(), applied, rest.applied()));
    }
    for (int i = 0; i < rest.each(); i++) {
      Command command = read(ctx, i);
      EntityState.apply(ctx.kv(), command);
      if (command.kind() == Command.Kind.QUERY) {
        ctx.setCustomStatus(EntityState.read(ctx.kv()).toJson());
        ctx.kv().put(ANSWER, command.id());
      } else if (command.kind() == Command.Kind.STOP) {
        return EntityState.read(ctx.kv()).toJson();
      }
    }
    return next(ctx, new Rest(rest.each(), EntityState.read(ctx.kv()).applied()));
  }

  /** With a limit that is never reached every other time. */
  private static Command read(OrchestrationContext ctx, int number) {
    if (number % 2 == 0) {
      return ctx.dequeue(COMMANDS).await();
    }
    return switch (ctx.dequeue(COMMANDS).await(CodeFrame.FAR)) {
      case Awaited.Got<Command>(Command command) -> command;
      case Awaited.TimedOut<Command> ignored ->
          throw new OrchestrationFailure("a limit of " + CodeFrame.FAR + " was reached");
    };
  }

  /** To another version each time, and now and then the past goes. */
  private static String next(OrchestrationContext ctx, Rest rest) {
    int version = (int) (ctx.executionId() % ProgramCode.VERSIONS.size());
    ContinueOptions options = ContinueOptions.version(ProgramCode.VERSIONS.get(version));
    return ctx.executionId() % PRUNE_EVERY == 0
        ? ctx.continueAsNew(rest, options.withPrune(Retention.keepLast(2)))
        : ctx.continueAsNew(rest, options);
  }
}
