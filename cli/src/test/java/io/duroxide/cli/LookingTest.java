package io.duroxide.cli;

import static io.duroxide.cli.Workplace.ASK;
import static io.duroxide.cli.Workplace.BREAK;
import static io.duroxide.cli.Workplace.COUNT;
import static io.duroxide.cli.Workplace.FAMILY;
import static io.duroxide.cli.Workplace.HELLO;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.codec.EventCodec;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.runtime.FrameworkVersion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@DisplayName("Commands that look")
class LookingTest {
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
  @DisplayName("CLI-LIST list prints a table, newest first, and filters by status and name")
  void list() {
    work.ended(HELLO, "hello-1", "Ann");
    work.ended(BREAK, "broken-1", "no luck");
    work.begun(ASK, "ask-1", "may I?");

    String all = Shell.script().on(work.file, "list").out();
    assertThat(all.lines().toList().getFirst())
        .matches("INSTANCE +ORCHESTRATION +VERSION +STATUS +EXEC +CREATED +UPDATED +SAYS");
    assertThat(all.lines().skip(1).map(line -> line.split(" ", -1)[0]))
        .containsExactly("ask-1", "broken-1", "hello-1");
    assertThat(all).containsPattern("ask-1 +Ask +1.0.0 +Running +1 .* asking");
    assertThat(all).doesNotContain("\u001b");

    assertThat(ids("--status", "running")).containsExactly("ask-1");
    assertThat(ids("--status", "failed")).containsExactly("broken-1");
    assertThat(ids("--status", "finished")).containsExactly("broken-1", "hello-1");
    assertThat(ids("--name", "Hello")).containsExactly("hello-1");
    assertThat(ids("--prefix", "br")).containsExactly("broken-1");
    assertThat(ids("--older-than", "1d")).isEmpty();
  }

  private List<String> ids(String... options) {
    String[] args = new String[options.length + 2];
    System.arraycopy(options, 0, args, 2, options.length);
    args[0] = "list";
    args[1] = "--json";
    return Shell.script()
        .on(work.file, args)
        .json()
        .get("instances")
        .valueStream()
        .map(row -> row.get("instance").asString())
        .toList();
  }

  @Test
  @DisplayName("CLI-LIST a long list goes on at its cursor")
  void pages() {
    work.ended(HELLO, "hello-1", "Ann");
    work.ended(HELLO, "hello-2", "Ben");

    JsonNode first = Shell.script().on(work.file, "list", "--json", "--limit", "1").json();
    assertThat(first.get("instances").get(0).get("instance").asString()).isEqualTo("hello-2");
    String next = first.get("next").asString();
    JsonNode second = Shell.script().on(work.file, "list", "--json", "--after", next).json();
    assertThat(second.get("instances").get(0).get("instance").asString()).isEqualTo("hello-1");
    assertThat(second.get("next").isNull()).isTrue();
    assertThat(Shell.script().on(work.file, "list", "--limit", "1").out())
        .contains("more: --after " + next);
  }

  @Test
  @DisplayName("CLI-SHOW show prints status, timeline and tree")
  void show() {
    work.ended(FAMILY, "family-1", "Ann");

    String shown = Shell.script().on(work.file, "show", "family-1").out();
    assertThat(shown)
        .containsPattern("runs +Family 1.0.0")
        .containsPattern("status +Completed")
        .containsPattern("output +Hello, Ann!")
        .containsPattern("1 +\\+0ms +OrchestrationStarted +Family 1.0.0 +Ann")
        .containsPattern("2 +\\+.* +SubOrchestrationScheduled +Hello +sub::2 Ann")
        .containsPattern("3 +\\+.* +SubOrchestrationCompleted +Hello #2 +Hello, Ann! +\\d+")
        .contains("└─ family-1::sub::2  Hello  Completed");
  }

  @Test
  @DisplayName("CLI-SHOW show in JSON carries instance, executions, stored events and tree")
  void showJson() {
    work.ended(FAMILY, "family-1", "Ann");

    JsonNode shown = Shell.script().on(work.file, "show", "family-1", "--json").json();
    assertThat(shown.get("status").asString()).isEqualTo("Completed");
    assertThat(shown.get("executions").get(0).get("events").asInt()).isEqualTo(4);
    Event last = EventCodec.decode(shown.get("events").get(3).toString());
    assertThat(last.kind()).isEqualTo(new EventKind.OrchestrationCompleted("Hello, Ann!"));
    assertThat(shown.get("tree").get("children").get(0).get("orchestration").asString())
        .isEqualTo("Hello");
  }

  @Test
  @DisplayName(
      "RL-079 show and list --json show the framework version that executions are pinned to")
  void pins() {
    work.ended(COUNT, "count-1", 1);
    String framework = FrameworkVersion.CURRENT.toString();

    assertThat(Shell.script().on(work.file, "show", "count-1").out())
        .containsPattern("framework +" + Pattern.quote(framework));
    JsonNode shown = Shell.script().on(work.file, "show", "count-1", "--json").json();
    assertThat(shown.get("framework").asString()).isEqualTo(framework);
    assertThat(shown.get("executions").valueStream().map(each -> each.get("framework").asString()))
        .containsExactly(framework, framework, framework);
    JsonNode listed = Shell.script().on(work.file, "list", "--json").json();
    assertThat(listed.get("instances").get(0).get("framework").asString()).isEqualTo(framework);
  }

  @Test
  @DisplayName("CLI-SHOW an older execution is shown on demand, one that never was is not")
  void execution() {
    work.ended(COUNT, "count-1", 1);

    assertThat(Shell.script().on(work.file, "show", "count-1").out())
        .contains("execution 3")
        .contains("OrchestrationCompleted");
    assertThat(Shell.script().on(work.file, "show", "count-1", "--execution", "2").out())
        .contains("execution 2")
        .contains("OrchestrationContinuedAsNew");
    Shell.Ran none = Shell.script().on(work.file, "show", "count-1", "--execution", "9");
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err())
        .isEqualToIgnoringNewLines("duroxide: instance 'count-1' has no execution 9 (any more)");
  }

  @Test
  @DisplayName("CLI-SHOW stored text cannot steer the terminal")
  void harmless() {
    work.ended(HELLO, "hello-1", "Ann\u001b[2J\nBen");

    assertThat(Shell.script().on(work.file, "show", "hello-1").out())
        .doesNotContain("\u001b")
        .contains("Ann [2J Ben");
  }

  @Test
  @DisplayName("CLI-COLOUR colours are for terminals that want them")
  void colours() {
    work.ended(HELLO, "hello-1", "Ann");

    assertThat(new Shell(true, true, "").on(work.file, "list").out())
        .contains("\u001b[32mCompleted\u001b[0m");
  }

  @Test
  @DisplayName("CLI-TAIL tail prints each event once, over all executions, until the end")
  void tail() throws InterruptedException {
    work.begun(ASK, "ask-1", "may I?");
    StringWriter out = new StringWriter();
    Terminal terminal =
        new Terminal(
            new PrintWriter(out),
            new PrintWriter(new StringWriter()),
            new BufferedReader(new StringReader("")),
            false,
            false);
    Thread answer =
        Thread.startVirtualThread(() -> {
          Workplace.until(() -> out.toString().contains("ExternalSubscribed"));
          work.client.raiseEvent("ask-1", Workplace.APPROVAL, "yes");
        });

    String file = work.file.toString();
    assertThat(Duroxide.commandLine(terminal).execute("tail", "ask-1", "--store", file)).isZero();
    answer.join();
    assertThat(out.toString().lines().map(line -> line.replaceAll("\\s.*", "")))
        .containsExactly("1/1", "1/2", "1/3", "1/4", "1/5");
    assertThat(out.toString()).containsPattern("OrchestrationCompleted +yes");

    work.ended(COUNT, "count-1", 1);
    Shell.Ran json = Shell.script().on(work.file, "tail", "count-1", "--json");
    assertThat(json.out().lines().map(EventCodec::decode).map(event -> event.execution()))
        .allMatch(execution -> execution.instance().equals("count-1"));
  }

  @Test
  @DisplayName("CLI-TAIL the exit of tail tells a failure, and that time is over")
  void tailExits() {
    work.ended(BREAK, "broken-1", "no luck");
    assertThat(Shell.script().on(work.file, "tail", "broken-1").exit()).isEqualTo(1);

    work.begun(ASK, "ask-1", "may I?");
    Shell.Ran late = Shell.script().on(work.file, "tail", "ask-1", "--for", "1ms");
    assertThat(late.exit()).isEqualTo(1);
    assertThat(late.err()).isEqualToIgnoringNewLines("duroxide: instance 'ask-1' still runs");
  }

  @Test
  @DisplayName("CLI-EXPORT export writes all executions in the stored form")
  void export() throws IOException {
    work.ended(COUNT, "count-1", 1);

    JsonNode exported = Shell.script().on(work.file, "export", "count-1").json();
    assertThat(exported.get("executions")).hasSize(3);
    for (JsonNode execution : exported.get("executions")) {
      List<Event> events =
          execution
              .get("events")
              .valueStream()
              .map(event -> EventCodec.decode(event.toString()))
              .toList();
      assertThat(events.getFirst().kind()).isInstanceOf(EventKind.OrchestrationStarted.class);
      assertThat(events.getLast().kind()).isInstanceOf(EventKind.Terminal.class);
    }

    Path file = folder.resolve("count-1.json");
    assertThat(Shell.script().on(work.file, "export", "count-1", "-o", file.toString()).exit())
        .isZero();
    assertThat(Files.readString(file))
        .isEqualToIgnoringNewLines(Shell.script().on(work.file, "export", "count-1").out());
    assertThat(Shell.script().on(work.file, "export", "count-1", "-o", file.toString()).exit())
        .isEqualTo(4);
  }

  @Test
  @DisplayName("CLI-DEPTHS depths counts queues and instances")
  void depths() {
    work.ended(HELLO, "hello-1", "Ann");
    work.begun(Workplace.LONELY, "lonely-1", "x");

    JsonNode depths = Shell.script().on(work.file, "depths", "--json").json();
    assertThat(depths.get("worker").get("ready").asInt()).isEqualTo(1);
    assertThat(depths.get("instances").get("completed").asInt()).isEqualTo(1);
    assertThat(depths.get("instances").get("running").asInt()).isEqualTo(1);
    assertThat(Shell.script().on(work.file, "depths").out())
        .containsPattern("worker +1 +0 +0")
        .contains("2 instances: 1 running, 1 completed, 0 failed");
  }
}
