package io.duroxide.cli;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "export",
    description = "Writes the history of an instance, all executions, in the stored form as JSON.")
final class ExportCommand implements Callable<Integer> {
  @Mixin private final Common common;

  @Parameters(paramLabel = "INSTANCE", description = "Its id.")
  private String id;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write to this file, which must not exist yet (default: the output).")
  private @Nullable Path file;

  ExportCommand(Terminal terminal) {
    this.common = new Common(terminal);
  }

  @Override
  public Integer call() {
    return common.onStore(this::export);
  }

  private Exit export(Desk desk) {
    String json = Forms.pretty(form(desk));
    if (file == null) {
      desk.terminal().line(json);
      return Exit.OK;
    }
    if (Files.exists(file)) {
      throw new Stop(Exit.REFUSED, "'" + file + "' exists already; name another file");
    }
    try {
      Files.writeString(file, json + "\n");
    } catch (IOException e) {
      throw new Stop(Exit.FAILED, "cannot write '" + file + "': " + e.getMessage());
    }
    desk.answer(
        Forms.object().put("exported", id).put("file", file.toString()),
        "exported " + Shown.text(id) + " to " + file);
    return Exit.OK;
  }

  private ObjectNode form(Desk desk) {
    InstanceInfo info = desk.instance(id);
    Pages pages = new Pages(desk.management());
    List<ExecutionInfo> stored = pages.executions(id);
    ArrayNode executions = Forms.array();
    try (Progress progress = new Progress(desk, "reading", stored.size())) {
      for (ExecutionInfo execution : stored) {
        List<Event> events = new ArrayList<>();
        pages.events(new ExecutionKey(id, execution.executionId()), 0, events::add);
        ObjectNode form = Forms.execution(execution);
        form.set("events", Forms.events(events));
        executions.add(form);
        progress.add(1);
      }
    }
    ObjectNode form = Forms.instance(info);
    form.set("executions", executions);
    return form;
  }
}
