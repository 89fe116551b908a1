package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What all instances of a program share in the model. */
final class ModelWorld {
  private final @Nullable Arbiter arbiter;
  private final SortedMap<String, InstancePrediction> instances = new TreeMap<>();
  private final List<ClientScript.Step> steps = new ArrayList<>();
  private int senders;

  ModelWorld(@Nullable Arbiter arbiter) {
    this.arbiter = arbiter;
  }

  int newSender() {
    return senders++;
  }

  void add(ClientScript.Step step) {
    steps.add(step);
  }

  void add(String id, InstancePrediction prediction) {
    instances.put(id, prediction);
  }

  /** What a run wrote down about something that was free. */
  Optional<String> recorded(String id, String key) {
    if (arbiter == null) {
      return Optional.empty();
    }
    String value = arbiter.values(id).get(key);
    if (value == null) {
      throw new IllegalStateException("instance '" + id + "' has no value '" + key + "'");
    }
    return Optional.of(value);
  }

  /** The order of the messages of a mailbox. */
  MailOrder mail(ModelInstance instance, String queue) {
    List<Program.Mail> sent =
        instance.program().mail().stream().filter(mail -> mail.queue().equals(queue)).toList();
    Set<String> doubtful = arbiter == null ? Set.of() : arbiter.doubtful(instance.id());
    boolean free =
        sent.stream().map(Program.Mail::sender).distinct().count() > 1
            || sent.stream().map(Program.Mail::text).anyMatch(doubtful::contains);
    if (arbiter == null || !free) {
      return MailOrder.asSent(sent);
    }
    Map<String, String> values = arbiter.values(instance.id());
    return MailOrder.asRead(sent, doubtful, values.getOrDefault(Labels.READ + queue, ""));
  }

  Prediction prediction() {
    return new Prediction(instances, new ClientScript(steps));
  }
}
