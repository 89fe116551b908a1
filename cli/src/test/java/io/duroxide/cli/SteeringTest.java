package io.duroxide.cli;

import static io.duroxide.cli.Workplace.ASK;
import static io.duroxide.cli.Workplace.COUNT;
import static io.duroxide.cli.Workplace.HELLO;
import static io.duroxide.cli.Workplace.NAP;
import static io.duroxide.cli.Workplace.READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.OrchestrationStatus;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Commands that steer")
class SteeringTest {
  @TempDir Path folder;
  private Workplace work;

  @BeforeEach
  void open() {
    work = new Workplace(folder);
  }

  @AfterEach
  void close() {
    work.close();
  }

  @Test
  @DisplayName("CLI-START start queues, waits if told to, and rejects an id that exists")
  void start() {
    Shell.Ran waited =
        Shell.script().on(work.file, "start", "Hello", "hello-1", "Ann", "--wait", "60s");
    assertThat(waited.exit()).isZero();
    assertThat(waited.out()).isEqualToIgnoringNewLines("hello-1 completed: Hello, Ann!");

    Shell.Ran again = Shell.script().on(work.file, "start", "Hello", "hello-1", "Ben");
    assertThat(again.exit()).isEqualTo(4);
    assertThat(again.err()).contains("'hello-1' exists already");

    Shell.Ran restarted =
        Shell.script()
            .withInput("Ben\n")
            .on(
                work.file,
                "start",
                "Hello",
                "hello-1",
                "-",
                "--existing",
                "restart",
                "--wait",
                "60s",
                "--json");
    assertThat(restarted.json().get("output").asString()).isEqualTo("Hello, Ben!");

    Shell.Ran failed =
        Shell.script().on(work.file, "start", "Break", "broken-1", "luck", "--wait", "60s");
    assertThat(failed.exit()).isEqualTo(1);
    assertThat(failed.out()).startsWith("broken-1 failed: ").contains("luck");

    assertThat(Shell.script().on(work.file, "start", "Hello", "h", "--version", "two").exit())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("CLI-RAISE raise and enqueue reach the one that waits")
  void send() {
    work.begun(ASK, "ask-1", "may I?");
    Shell.Ran raised = Shell.script().on(work.file, "raise", "ask-1", "Approval", "yes");
    assertThat(raised.out()).isEqualToIgnoringNewLines("queued: event Approval for ask-1");
    assertThat(output("ask-1")).isEqualTo("yes");

    work.begun(READ, "read-1", "");
    Shell.Ran queued = Shell.script().on(work.file, "enqueue", "read-1", "mail", "hi", "--json");
    assertThat(queued.json().get("queue").asString()).isEqualTo("mail");
    assertThat(output("read-1")).isEqualTo("hi");

    Shell.Ran late = Shell.script().on(work.file, "raise", "ask-1", "Approval", "yes");
    assertThat(late.exit()).isEqualTo(4);
    assertThat(late.err()).contains("has ended");
  }

  private String output(String id) {
    return ((OrchestrationStatus.Completed) work.client.waitForCompletion(id, Workplace.PATIENCE))
        .output();
  }

  @Test
  @DisplayName("CLI-CANCEL cancel wants a yes, then ends the instance with the reason")
  void cancel() {
    work.begun(NAP, "nap-1", "");

    Shell.Ran refused = Shell.script().on(work.file, "cancel", "nap-1");
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.err()).contains("add --yes").hasLineCount(1);
    Shell.Ran declined = Shell.person("n\n").on(work.file, "cancel", "nap-1");
    assertThat(declined.exit()).isEqualTo(4);
    assertThat(declined.err()).contains("[y/N]", "nothing was done");

    Shell.Ran done =
        Shell.person("yes\n")
            .on(work.file, "cancel", "nap-1", "--reason", "too long", "--wait", "60s");
    assertThat(done.exit()).isZero();
    assertThat(done.out()).contains("canceled: too long");
    assertThat(Shell.script().on(work.file, "show", "nap-1").out()).contains("Failed (cancelled)");
  }

  @Test
  @DisplayName("CLI-DELETE delete by id wants a yes and refuses what runs, unless forced")
  void delete() {
    work.ended(HELLO, "hello-1", "Ann");
    work.begun(NAP, "nap-1", "");

    assertThat(Shell.script().on(work.file, "delete", "hello-1").exit()).isEqualTo(4);
    assertThat(Shell.script().on(work.file, "delete", "hello-1", "--yes").out())
        .startsWith("deleted 1 instance, 1 execution, 4 events");
    Shell.Ran runs = Shell.script().on(work.file, "delete", "nap-1", "--yes");
    assertThat(runs.exit()).isEqualTo(4);
    assertThat(runs.err()).hasLineCount(1);
    assertThat(Shell.script().on(work.file, "delete", "nap-1", "--yes", "--force").exit()).isZero();
    assertThat(Shell.script().on(work.file, "list").out())
        .isEqualToIgnoringNewLines("no instances");
  }

  @Test
  @DisplayName("CLI-DELETE delete by options says beforehand what goes, and shows its progress")
  void deleteMatching() {
    for (int i = 0; i < 3; i++) {
      work.ended(HELLO, "hello-" + i, "Ann");
    }
    work.begun(ASK, "ask-1", "may I?");

    Shell.Ran dry =
        Shell.script().on(work.file, "delete", "--name", "Hello", "--dry-run", "--json");
    assertThat(dry.json().get("would_delete").get("instances").asInt()).isEqualTo(3);
    Shell.Ran done = Shell.person("y\n").on(work.file, "delete", "--name", "Hello");
    assertThat(done.err())
        .contains("this deletes 3 instances for good? [y/N]")
        .contains("deleting [##############################] 3/3");
    assertThat(done.out()).startsWith("deleted 3 instances, 3 executions");
    assertThat(Shell.script().on(work.file, "delete", "--status", "running", "--yes").out())
        .startsWith("deleted 0 instances");
    assertThat(Shell.script().on(work.file, "delete", "--yes").exit()).isEqualTo(2);
    assertThat(Shell.script().on(work.file, "delete", "a", "--name", "b", "--yes").exit())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("CLI-PRUNE prune keeps the executions it is told to keep")
  void prune() {
    work.ended(COUNT, "count-1", 0);
    work.ended(COUNT, "count-2", 0);

    assertThat(Shell.script().on(work.file, "prune", "count-1").exit()).isEqualTo(4);
    assertThat(Shell.script().on(work.file, "prune", "count-1", "--keep-for", "1d", "--yes").out())
        .startsWith("pruned 1 instance: 0 executions");
    assertThat(Shell.script().on(work.file, "prune", "count-1", "--keep-last", "3", "--yes").out())
        .startsWith("pruned 1 instance: 1 execution, 2 events");
    Shell.Ran all = Shell.script().on(work.file, "prune", "--all", "--yes", "--json");
    assertThat(all.json().get("pruned").get("instances").asInt()).isEqualTo(2);
    assertThat(all.json().get("pruned").get("executions").asInt()).isEqualTo(5);
    assertThat(Shell.script().on(work.file, "prune", "--yes").exit()).isEqualTo(2);
  }
}
