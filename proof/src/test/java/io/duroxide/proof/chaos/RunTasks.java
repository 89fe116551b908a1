package io.duroxide.proof.chaos;

import io.duroxide.proof.program.Command;
import io.duroxide.proof.program.End;
import io.duroxide.proof.program.EntityPlan;
import io.duroxide.proof.program.Program;
import io.duroxide.proof.program.ProgramGenerator;
import io.duroxide.proof.program.ProgramModel;
import java.util.ArrayList;
import java.util.List;

/** What the clients of a run have to do, and which client does what: by the seed alone. */
public final class RunTasks {
  /** Every so-many-th program is deleted by its client after its end. */
  private static final int DELETED = 12;

  /** For every so-many-th program its client waits. */
  private static final int AWAITED = 3;

  /** The last program starts some time before the end of a run. */
  private static final double SPREAD = 0.85;

  private final ChaosSettings settings;
  private final List<Order> orders = new ArrayList<>();
  private final List<Mailing> mailings = new ArrayList<>();

  /**
   * A program to start.
   *
   * @param client who starts it
   * @param due when, in milliseconds after the begin
   * @param deleted whether it is deleted after its end
   * @param awaited whether its client waits for its end
   */
  public record Order(Program program, int client, long due, boolean deleted, boolean awaited) {
    public String instance() {
      return program.name();
    }
  }

  /**
   * What one sender sends to an entity.
   *
   * @param client who sends
   * @param starts whether the same client starts the entity
   */
  public record Mailing(EntityPlan entity, List<Command> commands, int client, boolean starts) {}

  public RunTasks(ChaosSettings settings) {
    this.settings = settings;
    ProgramGenerator generator = new ProgramGenerator(settings.seed());
    List<Integer> programs = settings.load().programs();
    for (int i = 0; i < programs.size(); i++) {
      int number = programs.get(i);
      Program program = generator.program(number);
      orders.add(
          new Order(
              program,
              settings.caller(number),
              spread(i, programs.size()),
              number % DELETED == DELETED - 1 && isAlone(program),
              number % AWAITED == 0));
    }
    for (int number : settings.load().entities()) {
      EntityPlan entity = generator.entity(number);
      for (int sender = 0; sender < entity.commands().size(); sender++) {
        int client = settings.caller(number + sender);
        mailings.add(new Mailing(entity, entity.commands().get(sender), client, sender == 0));
      }
    }
  }

  /** Whether clients have nothing to do for other instances of it. */
  private static boolean isAlone(Program program) {
    return ProgramModel.script(program, program.name()).steps().stream()
        .allMatch(step -> step.instance().equals(program.name()));
  }

  public List<Order> orders() {
    return orders;
  }

  public List<Mailing> mailings() {
    return mailings;
  }

  public List<EntityPlan> entities() {
    return mailings.stream().filter(Mailing::starts).map(Mailing::entity).toList();
  }

  /** How many commands entities are sent. */
  public int operations() {
    return mailings.stream().mapToInt(mailing -> mailing.commands().size()).sum();
  }

  /** When the n-th of so many things is due. */
  long spread(int number, int all) {
    return (long) (settings.load().millis() * SPREAD * number / all);
  }

  /** An id that every client tries to start. */
  public String contest(int number) {
    return "contest-" + settings.seed() + "-" + number;
  }

  /** What a client tries to start under it. */
  public Program contender(int number, int client) {
    Program.Part part = new Program.Part(List.of(), new End.Return());
    return Program.of(contest(number) + "-by-" + client, List.of(part), List.of());
  }
}
