package io.duroxide.formatter;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** Runs google-java-format over every source file below the working directory. */
public final class Format {
  private Format() {}

  public static void main(String[] args) throws IOException {
    var rewrite = args.length == 1 && args[0].equals("write");
    var options =
        rewrite ? Stream.of("--replace") : Stream.of("--dry-run", "--set-exit-if-changed");
    var command = Stream.concat(options, sources().stream().map(Path::toString));
    var tool = ToolProvider.findFirst("google-java-format").orElseThrow();
    int exit = tool.run(System.out, System.err, command.toArray(String[]::new));
    if (exit != 0) {
      System.err.println("The files above are not formatted; ./format rewrites them.");
    }
    System.exit(exit);
  }

  private static List<Path> sources() throws IOException {
    var sources = FileSystems.getDefault().getPathMatcher("glob:*/src/**.java");
    try (var files = Files.walk(Path.of(""))) {
      return files.filter(sources::matches).sorted().toList();
    }
  }
}
