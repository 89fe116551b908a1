package io.duroxide.proof.check;

import io.duroxide.api.DataConverter;
import io.duroxide.api.TypeRef;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of entries outside the store, one for each process that writes. What was added is in the
 * hands of the operating system when {@code add} returns, so it survives the end of the process.
 * Thread-safe.
 */
public final class Ledger implements AutoCloseable {
  private static final TypeRef<Entry> TYPE = TypeRef.of(Entry.class);
  private static final String SUFFIX = ".ledger";

  private final FileOutputStream file;

  private Ledger(FileOutputStream file) {
    this.file = file;
  }

  /**
   * Begins the next part of a ledger.
   *
   * @param process has not written to it before
   */
  public static Ledger open(Path folder, String name, String process) {
    try {
      Path path = Files.createFile(folder.resolve(name + "." + process + SUFFIX));
      // A channel would be closed for all if one writer is interrupted.
      Ledger ledger = new Ledger(new FileOutputStream(path.toFile()));
      ledger.add(new Entry.Life(process, System.currentTimeMillis()));
      return ledger;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public synchronized void add(Entry entry) {
    String line = DataConverter.json().encodeJson(entry) + "\n";
    try {
      file.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      file.getFD().sync();
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All entries of one ledger, in order; none if there is no such ledger. */
  public static List<Entry> read(Path folder, String name) {
    return parts(folder, name + ".");
  }

  /** All entries of all ledgers of a folder, each ledger in order. */
  public static List<Entry> readAll(Path folder) {
    return parts(folder, "");
  }

  private static List<Entry> parts(Path folder, String begin) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .filter(file -> file.getFileName().toString().startsWith(begin))
          .map(Ledger::read)
          .filter(part -> !part.isEmpty())
          .sorted(Comparator.comparingLong(part -> part.getFirst().at()))
          .flatMap(List::stream)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without the last line, if the process ended before all of it was written. */
  private static List<Entry> read(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1)
          .lines()
          .map(line -> DataConverter.json().decodeJson(line, TYPE))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
