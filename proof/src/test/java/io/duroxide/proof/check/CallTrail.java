package io.duroxide.proof.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything that clients know of one step: all calls that were made for it, in order. */
record CallTrail(Entry.Step step, List<Attempt> attempts) {

  /** One call; without an answer if the process ended or the run did. */
  record Attempt(Entry.Intent intent, Entry.@Nullable Answer answer) {
    boolean isDone() {
      return answer != null && answer.result() == Entry.Result.DONE;
    }

    boolean isRefused() {
      return answer != null && answer.result() == Entry.Result.REFUSED;
    }
  }

  /** The trails of all steps. */
  static List<CallTrail> of(List<Entry> entries) {
    Map<String, Entry.Answer> answers = new HashMap<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Answer answer) {
        answers.put(answer.id(), answer);
      }
    }
    Map<Entry.Step, CallTrail> trails = new LinkedHashMap<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Intent intent) {
        trails
            .computeIfAbsent(intent.step(), step -> new CallTrail(step, new ArrayList<>()))
            .attempts()
            .add(new Attempt(intent, answers.get(intent.id())));
      }
    }
    return List.copyOf(trails.values());
  }

  Entry.Call call() {
    return attempts.getFirst().intent().call();
  }

  Entry.Deed deed() {
    return call().deed();
  }

  String instance() {
    return step.instance();
  }

  /** When it was acknowledged; empty if it never was. */
  Optional<Long> acknowledgedAt() {
    return attempts.stream()
        .filter(Attempt::isDone)
        .map(Attempt::answer)
        .map(answer -> answer == null ? 0L : answer.at())
        .findFirst();
  }

  boolean isAcknowledged() {
    return acknowledgedAt().isPresent();
  }

  boolean isRefused() {
    return attempts.stream().allMatch(Attempt::isRefused);
  }

  /** How often it may have taken effect. */
  long most() {
    return attempts.stream().filter(attempt -> !attempt.isRefused()).count();
  }
}
