package io.duroxide.proof.program;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates a program without storage, threads or time. What is free in it, the winner of a race
 * and the order of messages of several senders, is decided by what the run wrote down, as far as
 * that is allowed.
 */
public final class ProgramModel {
  private ProgramModel() {}

  /** What clients have to do for a program. */
  public static ClientScript script(Program program, String instance) {
    return outline(program, instance).script();
  }

  /**
   * What is known before the program ran: which instances there will be, how they end but for what
   * is free in that, and what clients have to do.
   *
   * @throws IllegalArgumentException if more is free than a run writes down
   */
  public static Prediction outline(Program program, String instance) {
    return evaluate(program, instance, null);
  }

  /**
   * What must be in the store.
   *
   * @throws IllegalStateException if what the run wrote down is not allowed
   */
  public static Prediction predict(Program program, String instance, Arbiter arbiter) {
    return evaluate(program, instance, arbiter);
  }

  private static Prediction evaluate(Program program, String instance, @Nullable Arbiter arbiter) {
    ModelWorld world = new ModelWorld(arbiter);
    ModelInstance root = new ModelInstance(world, instance, program);
    root.expect(0, start(program));
    root.run(true);
    return world.prediction();
  }

  private static ClientScript.Deed start(Program program) {
    List<Program.Mail> first = program.mail().stream().filter(Program.Mail::withStart).toList();
    return new ClientScript.Deed.Start(
        program.version(),
        program,
        first.isEmpty() ? "" : first.getFirst().queue(),
        first.stream().map(Program.Mail::text).toList());
  }
}
