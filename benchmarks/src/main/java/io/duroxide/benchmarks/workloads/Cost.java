package io.duroxide.benchmarks.workloads;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What something has used up.
 *
 * @param cpuSeconds of all processes that take part
 * @param bytesWritten handed to the operating system, or written to the database's log
 */
record Cost(double cpuSeconds, long bytesWritten) {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  Cost since(Cost earlier) {
    return new Cost(cpuSeconds - earlier.cpuSeconds, bytesWritten - earlier.bytesWritten);
  }

  /** With the work of a database server; then the bytes are those of its log. */
  Cost withServer(Cost server) {
    return new Cost(cpuSeconds + server.cpuSeconds, server.bytesWritten);
  }

  /** Of this process; bytes are known on Linux alone. */
  static Cost ofThisProcess() {
    return new Cost(cpuSecondsOfThisProcess(), written());
  }

  static double cpuSecondsOfThisProcess() {
    return SYSTEM.getProcessCpuTime() / 1e9;
  }

  private static long written() {
    try {
      return Files.readAllLines(Path.of("/proc/self/io")).stream()
          .filter(line -> line.startsWith("wchar:"))
          .mapToLong(line -> Long.parseLong(line.substring(6).trim()))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
