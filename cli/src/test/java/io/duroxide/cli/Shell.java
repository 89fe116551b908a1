package io.duroxide.cli;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Types commands into a terminal that remembers what it was told. */
record Shell(boolean interactive, boolean colour, String input) {

  /** What came of a command. */
  record Ran(int exit, String out, String err) {
    JsonNode json() {
      return JsonMapper.builder().build().readTree(out);
    }
  }

  static Shell script() {
    return new Shell(false, false, "");
  }

  static Shell person(String input) {
    return new Shell(true, false, input);
  }

  Shell withInput(String text) {
    return new Shell(interactive, colour, text);
  }

  Ran run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(
            new PrintWriter(out),
            new PrintWriter(err),
            new BufferedReader(new StringReader(input)),
            interactive,
            colour);
    int exit = Duroxide.commandLine(terminal).execute(args);
    terminal.out().flush();
    terminal.err().flush();
    return new Ran(exit, out.toString(), err.toString());
  }

  /** As {@link #run}, on a store. */
  Ran on(Path store, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--store");
    all.add(store.toString());
    return run(all.toArray(String[]::new));
  }
}
