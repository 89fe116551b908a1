package io.duroxide.proof.chaos;

import io.duroxide.api.DataConverter;
import io.duroxide.api.EventQueue;
import io.duroxide.client.Client;
import io.duroxide.client.Delivery;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.management.Force;
import io.duroxide.management.Management;
import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import io.duroxide.proof.program.ClientScript;
import io.duroxide.proof.program.Command;
import io.duroxide.proof.program.EntityCode;
import io.duroxide.proof.program.Program;
import io.duroxide.proof.program.ProgramCode;
import io.duroxide.proof.program.ProgramModel;
import io.duroxide.provider.Provider;
import io.duroxide.provider.PruneOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one client has to do in a run. A process that takes over from one that was killed reads the
 * ledger and goes on there.
 */
final class ClientWork implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClientWork.class);
  private static final Duration WAIT = Duration.ofSeconds(2);
  private static final Duration SHORT_PAUSE = Duration.ofMillis(25);
  private static final Duration LONG_PAUSE = Duration.ofMillis(400);

  /** How many commands of an entity lie between two prunings by a client. */
  private static final int PRUNE_EVERY = 15;

  private final ChaosSettings settings;
  private final RunTasks tasks;
  private final int number;
  private final long beganAt;
  private final Provider store;
  private final Client client;
  private final List<Entry> earlier;
  private final Ledger ledger;
  private final Thread metronome;
  private final CallBook book;
  private final Set<String> deleted = ConcurrentHashMap.newKeySet();

  /**
   * The work of a client.
   *
   * @param process different for each process of a run
   * @param number which client it is
   * @param beganAt when the run began
   */
  ClientWork(RunFolder folder, Provider store, String process, int number, long beganAt) {
    this.settings = folder.settings();
    this.tasks = new RunTasks(settings);
    this.number = number;
    this.beganAt = beganAt;
    this.store = store;
    this.client = Client.of(store).withDelivery(Delivery.UNCHECKED);
    String name = "client-" + number;
    this.earlier = Ledger.read(folder.ledgers(), name);
    this.ledger = Ledger.open(folder.ledgers(), name, process);
    this.book = new CallBook(ledger, earlier, process);
    for (Entry entry : earlier) {
      if (entry instanceof Entry.Intent intent && intent.call().deed() == Entry.Deed.DELETE) {
        deleted.add(intent.step().instance());
      }
    }
    this.metronome = Thread.ofPlatform().daemon().name("metronome").start(new Metronome(ledger));
  }

  @Override
  public void close() {
    metronome.interrupt();
    try {
      metronome.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ledger.close();
  }

  /** Does all of it; returns when every call has an answer. */
  void perform() {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      tasks.orders().stream()
          .filter(order -> order.client() == number)
          .forEach(order -> threads.execute(() -> order(order)));
      tasks.mailings().stream()
          .filter(mailing -> mailing.client() == number)
          .forEach(mailing -> threads.execute(() -> mail(mailing)));
      int contests = settings.isCaller(number) ? settings.load().contests() : 0;
      for (int i = 0; i < contests; i++) {
        int contest = i;
        threads.execute(() -> contend(contest));
      }
    }
  }

  private void pauseUntil(long due) {
    long until = beganAt + due;
    while (System.currentTimeMillis() < until) {
      LockSupport.parkUntil(until);
    }
  }

  // Programs

  private void order(RunTasks.Order order) {
    pauseUntil(order.due());
    List<ClientScript.Step> steps = ProgramModel.script(order.program(), order.instance()).steps();
    perform(steps.getFirst(), 0);
    Map<Integer, List<Integer>> senders = new TreeMap<>();
    for (int i = 1; i < steps.size(); i++) {
      senders.computeIfAbsent(steps.get(i).sender(), sender -> new ArrayList<>()).add(i);
    }
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      for (List<Integer> own : senders.values()) {
        threads.execute(() -> own.forEach(i -> reachAndPerform(steps.get(i), i)));
      }
      boolean gone = deleted.contains(order.instance());
      if ((order.awaited() || order.deleted()) && !gone) {
        awaitEnd(order.instance(), order.deleted());
      }
    }
    if (order.deleted()) {
      deleted.add(order.instance());
      book.insist(
          new Entry.Step(order.instance(), "delete"),
          new Entry.Call(Entry.Deed.DELETE, "", ""),
          () -> delete(order.instance()));
    }
  }

  /** One that is gone already was deleted by a call without an answer. */
  private void delete(String instance) {
    if (!(client.status(instance) instanceof OrchestrationStatus.NotFound)) {
      Management.of(store).delete(instance, Force.NO);
    }
  }

  private void awaitEnd(String instance, boolean insist) {
    Entry.Step step = new Entry.Step(instance, "wait");
    boolean[] ended = {false};
    do {
      book.look(
          step,
          WAIT,
          () -> {
            client.waitForCompletion(instance, WAIT);
            ended[0] = true;
          });
    } while (insist && !ended[0]);
  }

  private void reachAndPerform(ClientScript.Step step, int index) {
    if (book.isSettled(named(step, index))) {
      return;
    }
    for (int looks = 0; ; looks++) {
      pauseBefore(looks);
      try {
        OrchestrationStatus status = client.status(step.instance());
        if (step.after() == 0 && !(status instanceof OrchestrationStatus.NotFound)) {
          break;
        }
        if (ClientScript.position(status.customStatus().status()).orElse(0) >= step.after()
            && step.after() > 0) {
          break;
        }
        if (status.isTerminal() || deleted.contains(step.instance())) {
          return;
        }
      } catch (RuntimeException e) {
        // The ledger keeps only calls that matter.
        LOG.debug("the store is out of reach", e);
      }
    }
    perform(step, index);
  }

  /** Twice as long each time: those that wait must not keep the others from going on. */
  private static void pauseBefore(int look) {
    if (look > 0) {
      long pause = SHORT_PAUSE.toNanos() << Math.min(look, 5);
      LockSupport.parkNanos(Math.min(pause, LONG_PAUSE.toNanos()));
    }
  }

  private static Entry.Step named(ClientScript.Step step, int index) {
    return new Entry.Step(step.instance(), "step-" + index);
  }

  private void perform(ClientScript.Step step, int index) {
    String instance = step.instance();
    Entry.Step named = named(step, index);
    switch (step.deed()) {
      case ClientScript.Deed.Start start -> start(named, start);
      case ClientScript.Deed.Raise(String event, String data) ->
          book.insist(
              named,
              new Entry.Call(Entry.Deed.RAISE, event, data),
              () -> client.raiseEvent(instance, event, data));
      case ClientScript.Deed.Send(String queue, String message) ->
          book.insist(
              named,
              new Entry.Call(Entry.Deed.SEND, queue, message),
              () -> client.enqueue(instance, queue, message));
      case ClientScript.Deed.Cancel(String reason) ->
          book.insist(
              named,
              new Entry.Call(Entry.Deed.CANCEL, "", reason),
              () -> client.cancel(instance, reason));
    }
  }

  private void start(Entry.Step step, ClientScript.Deed.Start start) {
    Program input = start.input();
    if (start.messages().isEmpty()) {
      StartOptions options =
          start.version() == null ? StartOptions.defaults() : StartOptions.version(start.version());
      book.insist(
          step,
          new Entry.Call(Entry.Deed.START, "", input.toJson()),
          () -> client.start(ProgramCode.PROGRAM, step.instance(), input, options));
    } else {
      EventQueue<String> queue = EventQueue.of(start.queue(), String.class);
      book.insist(
          step,
          new Entry.Call(Entry.Deed.START_AND_SEND, start.queue(), input.toJson()),
          () ->
              client.startAndEnqueue(
                  ProgramCode.PROGRAM, step.instance(), input, queue, start.messages()));
    }
  }

  // Entities

  private void mail(RunTasks.Mailing mailing) {
    String entity = mailing.entity().name();
    if (mailing.starts()) {
      EntityCode.Rest input = mailing.entity().input();
      book.insist(
          new Entry.Step(entity, "start"),
          new Entry.Call(Entry.Deed.START, "", DataConverter.json().encode(input)),
          () -> client.start(EntityCode.ENTITY, entity, input));
    }
    awaitExistence(entity);
    List<Command> commands = mailing.commands();
    for (int i = 0; i < commands.size(); i++) {
      Command command = commands.get(i);
      pauseUntil(tasks.spread(i, commands.size()));
      book.insist(
          new Entry.Step(entity, command.id()),
          new Entry.Call(
              Entry.Deed.SEND, EntityCode.COMMANDS.name(), DataConverter.json().encode(command)),
          () -> client.enqueue(entity, EntityCode.COMMANDS, command));
      if (i % PRUNE_EVERY == PRUNE_EVERY - 1) {
        book.insist(
            new Entry.Step(entity, "prune " + command.id()),
            new Entry.Call(Entry.Deed.PRUNE, "", ""),
            () -> Management.of(store).prune(entity, PruneOptions.keepLast(1)));
      }
    }
  }

  /** A message that comes before its instance is dropped. */
  private void awaitExistence(String instance) {
    boolean exists = false;
    for (int looks = 0; !exists; looks++) {
      pauseBefore(looks);
      try {
        exists = !(client.status(instance) instanceof OrchestrationStatus.NotFound);
      } catch (RuntimeException e) {
        LOG.debug("the store is out of reach", e);
      }
    }
  }

  // Contests

  private void contend(int contest) {
    pauseUntil(tasks.spread(contest, settings.load().contests()));
    String instance = tasks.contest(contest);
    Program input = tasks.contender(contest, number);
    StartOptions options = StartOptions.defaults().withReuse(StartOptions.Reuse.REJECT);
    book.tryOnce(
        new Entry.Step(instance, "client-" + number),
        new Entry.Call(Entry.Deed.START_NEW, "", input.toJson()),
        earlier,
        () -> client.start(ProgramCode.PROGRAM, instance, input, options));
  }
}
