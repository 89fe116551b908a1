package io.duroxide.replay;

import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** The result of an activity, timer, wait or child: completed by an event that names it. */
class OperationFuture extends ReplayFuture<String> {
  private enum State {
    PENDING,
    COMPLETED,
    FAILED,
    ABANDONED
  }

  private final Action action;
  private final ScheduleKind kind;
  private final @Nullable Coroutine owner;
  private State state = State.PENDING;
  private long eventId;
  private long settledBy;
  private boolean settledInReplay;
  private @Nullable String childInstance;
  private String value = "";
  private @Nullable RuntimeException failure;

  OperationFuture(
      Conductor conductor, Action action, ScheduleKind kind, @Nullable Coroutine owner) {
    super(conductor);
    this.action = action;
    this.kind = kind;
    this.owner = owner;
    if (owner != null) {
      owner.own(this);
    }
  }

  Action action() {
    return action;
  }

  ScheduleKind kind() {
    return kind;
  }

  /** The id of its schedule event; 0 until it is bound. */
  long eventId() {
    return eventId;
  }

  void bind(long id) {
    eventId = id;
  }

  @Nullable String childInstance() {
    return childInstance;
  }

  void childInstance(String instance) {
    childInstance = instance;
  }

  boolean pending() {
    return state == State.PENDING;
  }

  /** Whether the code gave it up in this turn, and not in one that is repeated. */
  boolean isNewlyAbandoned() {
    return abandoned() && !settledInReplay;
  }

  boolean abandoned() {
    return state == State.ABANDONED;
  }

  /** Delivers a result; nothing if the code gave it up meanwhile. */
  void complete(String result) {
    if (pending()) {
      settle(State.COMPLETED);
      value = result;
      notifyWaiters();
    }
  }

  /** Delivers a failure; nothing if the code gave it up meanwhile. */
  void fail(RuntimeException cause) {
    if (pending()) {
      settle(State.FAILED);
      failure = cause;
      notifyWaiters();
    }
  }

  final void settleWith(String result) {
    settle(State.COMPLETED);
    value = result;
  }

  private void settle(State settled) {
    state = settled;
    settledBy = conductor().position();
    settledInReplay = conductor().replaying();
    if (owner != null) {
      owner.disown(this);
    }
  }

  @Override
  boolean ready() {
    return state != State.PENDING;
  }

  @Override
  long readySince() {
    return settledBy;
  }

  @Override
  String take() {
    RuntimeException cause = failure;
    if (cause != null) {
      throw cause;
    }
    if (state == State.ABANDONED) {
      throw new CancellationException("the " + kind.label() + " was given up and has no result");
    }
    return value;
  }

  @Override
  void abandon() {
    if (!pending()) {
      return;
    }
    settle(State.ABANDONED);
    conductor().abandoned(this);
    notifyWaiters();
  }
}
