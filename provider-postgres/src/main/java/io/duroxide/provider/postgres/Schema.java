package io.duroxide.provider.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The schema that holds the store. Statements name it as {@code @}, so they depend on no setting of
 * a connection and work behind a proxy that hands each transaction another one. Thread-safe.
 */
final class Schema {
  /** PostgreSQL cuts longer names off. */
  private static final int LONGEST_NAME = 63;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final String name;
  private final Map<String, String> statements = new ConcurrentHashMap<>();

  private Schema(String name) {
    this.name = name;
  }

  /** The schema called {@code name}, which must be an identifier of ordinary characters. */
  static Schema named(String name) {
    if (!name.matches("[A-Za-z_][A-Za-z0-9_-]*") || name.length() > LONGEST_NAME) {
      throw Refusal.invalid(
          "open",
          ("'%s' cannot name a schema: take up to %d letters, digits, underscores and hyphens,"
                  + " beginning with a letter")
              .formatted(name, LONGEST_NAME));
    }
    if (name.startsWith("pg_")) {
      throw Refusal.invalid(
          "open", "'" + name + "': PostgreSQL keeps names that begin with pg_ for itself");
    }
    return new Schema(name);
  }

  String name() {
    return name;
  }

  /** As it stands in a statement. */
  String quoted() {
    return '"' + name + '"';
  }

  /** A statement with the schema's name in place of each {@code @}. */
  String in(String statement) {
    return statements.computeIfAbsent(statement, text -> text.replace("@.", quoted() + "."));
  }

  /** What nodes on this schema listen to; other schemas of the database have other channels. */
  String channel() {
    return "duroxide_" + Long.toHexString(hash());
  }

  /** A number for advisory locks, which all schemas of a database share. */
  long hash() {
    long hash = FNV_OFFSET;
    for (byte b : ("duroxide:" + name).getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  @Override
  public String toString() {
    return "schema " + name;
  }
}
