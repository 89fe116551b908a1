package io.duroxide.benchmarks.workloads;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** DBOS Transact with its defaults, on a schema of its own. Thread-safe. */
final class Dbos implements Subject {
  private final DBOS dbos;
  private final Flows flows;
  private final Supplier<Cost> cost;

  /** What its workflows are called by. */
  public interface Flows {
    String workload(int steps, boolean parallel, String payload, long delayMillis);

    String single(String payload, long delayMillis);
  }

  Dbos(PostgresServer server, String schema) {
    this.cost = server::cost;
    this.dbos =
        new DBOS(
            DBOSConfig.defaults("workloads")
                .withDatabaseUrl(server.url())
                .withDbUser("postgres")
                .withDbPassword("postgres")
                .withDatabaseSchema(schema));
    Implementation implementation = new Implementation(dbos);
    this.flows = dbos.registerProxy(Flows.class, implementation);
    implementation.self = flows;
    dbos.launch();
  }

  /** Steps that run side by side are children, since one workflow runs one step at a time. */
  static final class Implementation implements Flows {
    private final DBOS dbos;
    private Flows self = this;

    Implementation(DBOS dbos) {
      this.dbos = dbos;
    }

    @Override
    @Workflow(name = "workload")
    public String workload(int steps, boolean parallel, String payload, long delayMillis) {
      if (!parallel) {
        for (int i = 0; i < steps; i++) {
          step(payload, delayMillis);
        }
        return "done";
      }
      List<WorkflowHandle<String, RuntimeException>> children = new ArrayList<>();
      for (int i = 0; i < steps; i++) {
        children.add(dbos.startWorkflow(() -> self.single(payload, delayMillis)));
      }
      children.forEach(WorkflowHandle::getResult);
      return "done";
    }

    @Override
    @Workflow(name = "single")
    public String single(String payload, long delayMillis) {
      return step(payload, delayMillis);
    }

    private String step(String payload, long delayMillis) {
      return dbos.runStep(
          () -> {
            Stamps.note();
            if (delayMillis > 0) {
              pause(delayMillis);
            }
            return payload;
          },
          "step");
    }

    private static void pause(long millis) {
      try {
        Thread.sleep(Duration.ofMillis(millis));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public String name() {
    return "dbos";
  }

  @Override
  public void run(Shape shape, String id) {
    WorkflowHandle<String, RuntimeException> handle =
        dbos.startWorkflow(
            () ->
                flows.workload(
                    shape.steps(), shape.parallel(), shape.input(), shape.delay().toMillis()),
            new StartWorkflowOptions(id));
    handle.getResult();
  }

  @Override
  public Cost cost() {
    return Cost.ofThisProcess().withServer(cost.get());
  }

  @Override
  public void close() {
    dbos.shutdown();
  }
}
