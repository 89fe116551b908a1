package io.duroxide.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Stored texts that must never change, and what to hold against them. */
final class GoldenFile {
  private GoldenFile() {}

  static List<String> lines(String name) {
    try (var in = GoldenFile.class.getResourceAsStream("/golden/" + name)) {
      assertThat(in).as("golden file %s", name).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every value becomes its line, byte for byte, and every line its value. */
  static <T> void holds(
      String name, List<T> values, Function<T, String> encode, Function<String, T> decode) {
    var lines = lines(name);
    assertThat(values.stream().map(encode).toList()).containsExactlyElementsOf(lines);
    assertThat(lines.stream().map(decode).toList()).containsExactlyElementsOf(values);
  }

  /** The records of a sealed hierarchy, however deep. */
  static Set<Class<?>> kinds(Class<?> sealed) {
    var found = new LinkedHashSet<Class<?>>();
    var open = new ArrayList<Class<?>>(List.of(sealed));
    while (!open.isEmpty()) {
      var type = open.removeLast();
      if (type.isSealed()) {
        open.addAll(List.of(type.getPermittedSubclasses()));
      } else {
        found.add(type);
      }
    }
    return found;
  }

  static Set<Class<?>> classes(Stream<?> values) {
    var found = new LinkedHashSet<Class<?>>();
    values.forEach(value -> found.add(value.getClass()));
    return found;
  }
}
