package io.duroxide.proof.program;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** One mailbox in the model: the k-th open read gets the k-th message. */
final class ModelQueue {
  /** A read that is open. */
  static final class Reader {}

  /** Where a message stood among all that came. */
  private record Place(int number) {}

  private final MailOrder order;
  private final List<Place> places;
  private final List<Reader> open = new ArrayList<>();
  private final List<String> read = new ArrayList<>();

  ModelQueue(MailOrder order) {
    this.order = order;
    this.places = new ArrayList<>(IntStream.range(0, order.size()).mapToObj(Place::new).toList());
  }

  Reader subscribe() {
    Reader reader = new Reader();
    open.add(reader);
    return reader;
  }

  boolean hasMessageFor(Reader reader) {
    int number = open.indexOf(reader);
    return number >= 0 && number < places.size();
  }

  String takeFor(Reader reader) {
    int number = open.indexOf(reader);
    open.remove(number);
    String message = order.read(places.remove(number).number());
    read.add(message);
    return message;
  }

  void withdraw(Reader reader) {
    open.remove(reader);
  }

  /** The execution has ended: reads that are open end, messages stay. */
  void nextExecution() {
    open.clear();
  }

  /** What was read, in order; throws if that cannot be. */
  List<String> read() {
    order.check();
    return List.copyOf(read);
  }
}
