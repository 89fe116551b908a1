package io.duroxide.proof.program;

import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.provider.TagFilter;
import io.duroxide.replay.OrchestrationCode;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.util.List;
import java.util.function.UnaryOperator;

/** Everything that a node needs to run programs and entities. */
public final class ProgramCode {
  public static final Orchestration<Program, String> PROGRAM =
      Orchestration.of("program", Program.class, String.class);

  /** All of them interpret programs alike and note which one they are. */
  public static final List<String> VERSIONS = List.of("1.0.0", "1.1.0", "2.0.0");

  static final String TAG = "proof";

  private ProgramCode() {}

  /** Registers the orchestrations and their activities. */
  public static void register(DuroxideRuntime.Builder node, ActivityLedger ledger) {
    register(node, ledger, UnaryOperator.identity());
  }

  /** Programs see the context through {@code view}. */
  static void register(
      DuroxideRuntime.Builder node,
      ActivityLedger ledger,
      UnaryOperator<OrchestrationContext> view) {
    ProgramActivities.register(node, ledger);
    Interpreter interpreter = new Interpreter();
    for (String version : VERSIONS) {
      node.orchestration(
          PROGRAM, version, (ctx, program) -> interpreter.run(view.apply(ctx), program));
    }
    EntityCode.register(node);
  }

  /** The code of an orchestration, for engines without a runtime. */
  public static OrchestrationCode code(String orchestration) {
    if (orchestration.equals(PROGRAM.name())) {
      Interpreter interpreter = new Interpreter();
      return (ctx, input) -> ctx.converter().encode(interpreter.run(ctx, Program.fromJson(input)));
    }
    return EntityCode.code();
  }

  /** Options with what programs ask of a node: at least one of all nodes must have them. */
  public static RuntimeOptions.Builder options(RuntimeOptions.Builder options) {
    return options.tags(TagFilter.defaultAnd(TAG));
  }
}
