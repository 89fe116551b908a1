package io.duroxide.proof.check;

import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.proof.program.Command;
import io.duroxide.proof.program.EntityModel;
import io.duroxide.proof.program.EntityPlan;
import io.duroxide.proof.program.EntityState;
import io.duroxide.proof.program.Program;
import io.duroxide.proof.program.ProgramCheck;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** IV-10: results, errors, values and custom status are those of the model. */
final class ModelCheck implements InvariantCheck {
  private static final String ID = "IV-10";
  private static final String DRIVER = "driver";

  @Override
  public List<Breach> breaches(Evidence evidence) {
    List<CallTrail> trails = evidence.trails();
    List<Breach> breaches = new ArrayList<>();
    Set<String> deleted = evidence.deleted();
    ProgramCheck check = new ProgramCheck(evidence.store(), doubtful(evidence, trails));
    for (Program program : evidence.programs()) {
      if (!deleted.contains(program.name())) {
        check
            .differences(program, program.name())
            .forEach(text -> breaches.add(new Breach(ID, program.name(), text)));
      }
    }
    for (EntityPlan entity : evidence.entities()) {
      entity(evidence, entity, trails)
          .forEach(text -> breaches.add(new Breach(ID, entity.name(), text)));
    }
    return breaches;
  }

  /** Messages that may have been sent more than once, by instance. */
  private static Map<String, Set<String>> doubtful(Evidence evidence, List<CallTrail> trails) {
    Map<String, Set<String>> doubtful = new HashMap<>();
    Map<String, Program> programs =
        evidence.programs().stream().collect(Collectors.toMap(Program::name, program -> program));
    for (CallTrail trail : trails) {
      if (trail.most() > 1) {
        Set<String> texts = doubtful.computeIfAbsent(trail.instance(), instance -> new HashSet<>());
        if (trail.deed() == Entry.Deed.SEND) {
          texts.add(trail.call().text());
        } else if (trail.deed() == Entry.Deed.START_AND_SEND) {
          programs.get(trail.instance()).mail().forEach(mail -> texts.add(mail.text()));
        }
      }
    }
    return doubtful;
  }

  private static List<String> entity(Evidence evidence, EntityPlan plan, List<CallTrail> trails) {
    OrchestrationStatus status = Client.of(evidence.store()).status(plan.name());
    if (!(status instanceof OrchestrationStatus.Completed completed)) {
      return List.of("the entity did not complete: " + status);
    }
    Map<String, CallTrail> sent =
        trails.stream()
            .filter(trail -> trail.instance().equals(plan.name()))
            .filter(trail -> trail.deed() == Entry.Deed.SEND)
            .collect(Collectors.toMap(trail -> trail.step().name(), trail -> trail));
    EntityModel model = new EntityModel();
    List<Command> all = new ArrayList<>();
    plan.commands().forEach(all::addAll);
    all.add(Command.stop(DRIVER, 1));
    for (Command command : all) {
      CallTrail trail = sent.get(command.id());
      for (int i = 0; trail != null && i < trail.most(); i++) {
        model.sending(command);
      }
      if (trail != null && trail.isAcknowledged()) {
        model.acknowledged(command);
      }
    }
    EntityState seen = EntityState.fromJson(completed.output());
    EntityState expected = model.expected(seen);
    return expected.equals(seen)
        ? List.of()
        : List.of("must be %s%n  and is  %s".formatted(expected, seen));
  }
}
