package io.duroxide.benchmarks.workloads;

/** Something that runs durable orchestrations. Thread-safe. */
interface Subject extends AutoCloseable {
  String name();

  /** Runs one orchestration from its start to its end. */
  void run(Shape shape, String id);

  /** What it cost so far. */
  Cost cost();

  @Override
  void close();
}
