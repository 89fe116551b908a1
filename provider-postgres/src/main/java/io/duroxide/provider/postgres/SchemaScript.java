package io.duroxide.provider.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A script that makes a part of a schema.
 *
 * @param text its statements, which name the schema as {@code @}
 */
record SchemaScript(String name, String text) {
  /** One file for each family of functions; a plain SQL function stands behind those it calls. */
  private static final List<String> FUNCTIONS =
      List.of(
          "clock", "messages", "starts", "turns", "sends", "commits", "pruning", "work", "reads");

  /**
   * Stands in functions that clients call. Their plans, and those of the functions they call, are
   * made once, and use the indexes whatever the tables held when they were made. What they share a
   * transaction with does not wait for a row of somebody else for long: each runs alone then.
   */
  private static final String PLANS = "@plans";

  private static final String SETTINGS =
      "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off"
          + " SET enable_mergejoin = off SET enable_hashjoin = off SET jit = off"
          + " SET lock_timeout = '1s'";

  /** All files of functions, in the order in which they are applied. */
  static List<SchemaScript> functions() {
    return FUNCTIONS.stream().map(SchemaScript::read).toList();
  }

  static SchemaScript read(String name) {
    try (InputStream in = SchemaScript.class.getResourceAsStream(name + ".sql")) {
      if (in == null) {
        throw new IllegalStateException(name + ".sql is missing from the class path");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new SchemaScript(name, text.replace(PLANS, SETTINGS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String checksum() {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
