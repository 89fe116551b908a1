package io.duroxide.proof.chaos;

import io.duroxide.api.DataConverter;
import io.duroxide.api.TypeRef;
import io.duroxide.proof.check.RunFacts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where everything of a run is kept. */
public record RunFolder(Path path) {
  private static final String SETTINGS = "settings.json";
  private static final String FACTS = "facts.json";

  static RunFolder create(Path path, ChaosSettings settings) {
    RunFolder folder = new RunFolder(path);
    try {
      Files.createDirectories(folder.ledgers());
      Files.createDirectories(folder.logs());
      Files.createDirectories(folder.storeFile().getParent());
      Files.writeString(path.resolve(SETTINGS), settings.toJson());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return folder;
  }

  public Path ledgers() {
    return path.resolve("ledgers");
  }

  public Path logs() {
    return path.resolve("logs");
  }

  public Path storeFile() {
    return path.resolve("store").resolve("store.db");
  }

  public ChaosSettings settings() {
    try {
      return ChaosSettings.fromJson(Files.readString(path.resolve(SETTINGS)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What was seen of the run. */
  RunFacts facts() {
    try {
      return DataConverter.json()
          .decodeJson(Files.readString(path.resolve(FACTS)), TypeRef.of(RunFacts.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void write(RunFacts facts) {
    write(FACTS, DataConverter.json().encodeJson(facts));
  }

  void write(String name, String text) {
    try {
      Files.writeString(path.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
