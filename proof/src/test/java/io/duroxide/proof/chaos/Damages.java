package io.duroxide.proof.chaos;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.WorkItem;
import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.RunFacts;
import io.duroxide.provider.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A damage for each invariant that can be checked. */
final class Damages {
  private Damages() {}

  static List<Damage> all() {
    return Stream.of(ofCalls(), ofHistories(), ofWork(), ofRun()).flatMap(List::stream).toList();
  }

  private static String everywhere(String from, String to) {
    return "UPDATE duroxide_history SET data = replace(data, '%s', '%s')".formatted(from, to);
  }

  private static List<Damage> ofCalls() {
    return List.of(
        Damage.inStore(
            "IV-1", store -> store.management().orElseThrow().deleteInstance(root(store), true)),
        Damage.inEntries("IV-2", Damages::lost),
        Damage.inEntries(
            "IV-3",
            entries ->
                each(
                    entries,
                    entry ->
                        entry instanceof Entry.Answer answer
                                && answer.id().equals(sends(entries).getFirst().id())
                            ? new Entry.Answer(answer.id(), Entry.Result.REFUSED, "", answer.at())
                            : entry)),
        Damage.inEntries(
            "IV-4",
            entries ->
                with(
                    with(entries, call("contest", "one", Entry.Deed.START_NEW, 1)),
                    call("contest", "two", Entry.Deed.START_NEW, 1))),
        Damage.inEntries("IV-11", Damages::swapped));
  }

  private static List<Damage> ofHistories() {
    return List.of(
        Damage.byStatements("IV-5", everywhere("\"event_id\":2,", "\"event_id\":7,")),
        Damage.byStatements(
            "IV-6",
            everywhere("\"type\":\"OrchestrationCompleted\"", "\"type\":\"CustomStatusUpdated\"")),
        Damage.byStatements("IV-7", everywhere("\"source_event_id\":3,", "\"source_event_id\":2,")),
        Damage.byStatements(
            "IV-8",
            everywhere("\"timestamp_ms\":1", "\"timestamp_ms\":") + " WHERE first_event > 1"),
        Damage.byStatements("IV-9", everywhere("\"input\":\"r0.1\"", "\"input\":\"r0.x\"")),
        Damage.byStatements(
            "IV-10",
            "UPDATE duroxide_kv_base SET value = value || '1' WHERE instance IN"
                + " (SELECT key FROM duroxide_instance WHERE id LIKE 'program-%')"),
        Damage.byStatements(
            "IV-13",
            "UPDATE duroxide_history SET data = replace(data, '\"result\":\"[',"
                + " '\"result\":\"[false, ') WHERE data LIKE '%\"SubOrchestrationCompleted\"%'"),
        Damage.byStatements(
            "IV-14",
            "UPDATE duroxide_instance SET execution = execution + 1 WHERE id LIKE 'program-%'"));
  }

  private static List<Damage> ofWork() {
    return List.of(
        Damage.inEntries("IV-15", Damages::runTwice),
        Damage.inEntries(
            "IV-16",
            entries -> entries.stream().filter(entry -> !(entry instanceof Entry.Began)).toList()),
        Damage.byStatements(
            "IV-17",
            "INSERT INTO duroxide_kv_base (instance, key, updated_at, value)"
                + " SELECT key, 'undo.step', 0, 'step/0,step/1,' FROM duroxide_instance LIMIT 1"),
        Damage.inStore(
            "IV-18",
            store ->
                store.enqueueForOrchestrator(
                    new WorkItem.QueueMessage(root(store), "queue", "text"), Duration.ZERO)),
        Damage.byStatements("IV-19", "UPDATE duroxide_counter SET executions = executions + 1"),
        Damage.inStore("IV-20", Damages::poison));
  }

  private static List<Damage> ofRun() {
    UnaryOperator<RunFacts> open =
        facts ->
            new RunFacts(facts.incidents(), 0, 0, List.of("program"), facts.health(), facts.left());
    UnaryOperator<RunFacts> left =
        facts ->
            new RunFacts(facts.incidents(), 0, 0, facts.open(), facts.health(), List.of("thread"));
    return List.of(
        Damage.inFacts("IV-21", open),
        Damage.inEntries(
            "IV-22", entries -> with(entries, call("program", "slow", Entry.Deed.WAIT, 60_000))),
        Damage.inFacts("IV-23", left),
        Damage.inLog("IV-24", "12:00:00.000 ERROR store [writer] it went wrong"),
        Damage.byStatements(
            "IV-25",
            "PRAGMA writable_schema = ON",
            "DELETE FROM sqlite_master WHERE name = 'duroxide_work_line'"));
  }

  /** A root that has ended. */
  private static String root(Provider store) {
    return store.management().orElseThrow().listInstancesByStatus("Completed").stream()
        .filter(id -> id.matches("program-\\d+-\\d+"))
        .findFirst()
        .orElseThrow();
  }

  /** Every program was sent one more message, long ago. */
  private static List<Entry> lost(List<Entry> entries) {
    List<Entry> more = new ArrayList<>(entries);
    for (Entry entry : entries) {
      if (entry instanceof Entry.Intent intent && intent.call().deed() == Entry.Deed.START) {
        String instance = intent.step().instance();
        more.addAll(call(instance, "lost " + instance, Entry.Deed.SEND, 1));
      }
    }
    return more;
  }

  private static List<Entry.Intent> sends(List<Entry> entries) {
    return entries.stream()
        .filter(Entry.Intent.class::isInstance)
        .map(Entry.Intent.class::cast)
        .filter(intent -> intent.call().deed() == Entry.Deed.SEND)
        .filter(intent -> intent.step().instance().startsWith("program"))
        .toList();
  }

  /** A call that was acknowledged after so many milliseconds, long ago. */
  private static List<Entry> call(String instance, String name, Entry.Deed deed, long took) {
    return List.of(
        new Entry.Intent(
            name, new Entry.Step(instance, name), new Entry.Call(deed, "queue", name), 100, 1),
        new Entry.Answer(name, Entry.Result.DONE, "", 1 + took));
  }

  private static List<Entry> with(List<Entry> entries, List<Entry> more) {
    return Stream.concat(entries.stream(), more.stream()).toList();
  }

  private static List<Entry> each(List<Entry> entries, UnaryOperator<Entry> change) {
    return entries.stream().map(change).toList();
  }

  /** All messages of programs were sent in reverse: late ones long ago. */
  private static List<Entry> swapped(List<Entry> entries) {
    List<String> ids = sends(entries).stream().map(Entry.Intent::id).toList();
    return each(
        entries,
        entry ->
            switch (entry) {
              case Entry.Intent intent when ids.contains(intent.id()) ->
                  new Entry.Intent(
                      intent.id(), intent.step(), intent.call(), intent.limit(), -intent.at());
              case Entry.Answer answer when ids.contains(answer.id()) ->
                  new Entry.Answer(answer.id(), answer.result(), "", 1 - answer.at());
              default -> entry;
            });
  }

  /** Another node had everything at the same time. */
  private static List<Entry> runTwice(List<Entry> entries) {
    List<Entry> twice = new ArrayList<>(entries);
    for (Entry entry : entries) {
      if (entry instanceof Entry.Began began) {
        twice.add(new Entry.Began("other", began.work(), began.session(), began.at()));
      }
    }
    return twice;
  }

  private static void poison(Provider store) {
    Event last = store.readLast(root(store)).orElseThrow();
    ErrorDetails details =
        new ErrorDetails.Poison(
            11, 10, new PoisonSubject.Orchestration(last.execution().instance(), 1), "");
    Event poison =
        new Event(
            last.execution(),
            last.id() + 1,
            null,
            last.stamp(),
            new EventKind.OrchestrationFailed(details));
    store.appendWithExecution(last.execution(), List.of(poison));
  }
}
