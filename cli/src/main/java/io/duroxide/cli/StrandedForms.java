package io.duroxide.cli;

import io.duroxide.provider.Need;
import io.duroxide.provider.Stranded;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Work that no live node can run, for people and for scripts. */
final class StrandedForms {
  private StrandedForms() {}

  static void print(List<Stranded> all, Terminal terminal) {
    if (all.isEmpty()) {
      return;
    }
    Table table = new Table("STRANDED", "INSTANCES", "WHY");
    for (Stranded stranded : all) {
      List<String> named = stranded.work().instances();
      long more = stranded.work().count() - named.size();
      table.row(
          Table.Cell.of(Shown.text(stranded.what())),
          new Table.Cell(Ink.CYAN, Shown.text(String.join(", ", named) + (more > 0 ? ", …" : ""))),
          Table.Cell.of(Shown.text(stranded.reason())));
    }
    table.print(terminal);
    terminal.line("");
  }

  static ArrayNode form(List<Stranded> all) {
    ArrayNode rows = Forms.array();
    for (Stranded stranded : all) {
      ObjectNode row = need(stranded.work().need()).put("count", stranded.work().count());
      ArrayNode instances = row.putArray("instances");
      stranded.work().instances().forEach(instances::add);
      rows.add(row.put("reason", stranded.reason()));
    }
    return rows;
  }

  private static ObjectNode need(Need need) {
    return switch (need) {
      case Need.Turn turn ->
          Forms.object()
              .put("needs", "turn")
              .put("orchestration", turn.orchestration())
              .put("version", turn.version())
              .put("framework", Forms.pin(turn.pin()));
      case Need.Run run ->
          Forms.object()
              .put("needs", "activity")
              .put("activity", run.activity())
              .put("tag", run.tag());
    };
  }
}
