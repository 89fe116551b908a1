package io.duroxide.support;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The threads of this process, virtual ones too. */
public final class LiveThreads {
  private LiveThreads() {}

  /** The lines of a thread dump for live threads whose names begin like this. */
  public static List<String> named(String prefix) {
    try {
      Path folder = Files.createTempDirectory("duroxide-threads");
      Path dump = folder.resolve("dump.txt");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
      List<String> found =
          Files.readAllLines(dump).stream()
              .filter(line -> line.startsWith("#") && line.contains("\"" + prefix))
              .toList();
      Files.delete(dump);
      Files.delete(folder);
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
