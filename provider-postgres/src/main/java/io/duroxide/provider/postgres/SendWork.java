package io.duroxide.provider.postgres;

/** An activity from outside a turn. */
final class SendWork extends Command<Boolean> {
  private final NewWork work;

  SendWork(String operation, NewWork work) {
    super(operation);
    this.work = work;
  }

  NewWork work() {
    return work;
  }
}
