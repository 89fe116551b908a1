package io.duroxide.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Where a command speaks and listens.
 *
 * @param interactive whether a person sits there who can be asked
 * @param colour whether text may be coloured
 */
record Terminal(
    PrintWriter out, PrintWriter err, BufferedReader in, boolean interactive, boolean colour) {

  /** The streams of this process; colours only for a person, and not if NO_COLOR is set. */
  @SuppressWarnings("SystemConsoleNull") // The property brings back the console that may be absent.
  static Terminal ofProcess() {
    System.setProperty("jdk.console", "java.base");
    boolean interactive = System.console() != null;
    String noColour = System.getenv("NO_COLOR");
    return new Terminal(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)),
        interactive,
        interactive && (noColour == null || noColour.isEmpty()));
  }

  String paint(Ink ink, String text) {
    return colour ? ink.on(text) : text;
  }

  void line(String text) {
    out.println(text);
  }

  /** Asks until the end of the line; only y and yes mean yes. */
  boolean confirms(String question) {
    err.print(question + " [y/N] ");
    err.flush();
    try {
      String answer = in.readLine();
      return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The argument itself, or for {@code -} all of the input without its last line end. */
  String payload(String argument) {
    return argument.equals("-") ? in.lines().collect(Collectors.joining("\n")) : argument;
  }
}
