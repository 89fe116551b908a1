package io.duroxide.cli;

import io.duroxide.provider.Provider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Opens the store behind an address: the only place that knows the kinds of stores. */
final class Stores {
  private static final Pattern ADDRESS = Pattern.compile("(?:jdbc:)?([A-Za-z][\\w+.-]+):.*");

  private Stores() {}

  /**
   * The store behind {@code address}.
   *
   * @param create whether a missing file or schema may be made
   */
  static Provider open(String address, boolean create) {
    Matcher matcher = ADDRESS.matcher(address);
    String kind = matcher.matches() ? matcher.group(1) : "file";
    return switch (kind) {
      case "file" -> openFile(address, create);
      case "sqlite" -> openFile(address.replaceFirst("^(jdbc:)?sqlite:(//)?", ""), create);
      case "jdbc" -> throw PostgresAddress.unreadable();
      case "postgresql", "postgres" -> openSchema(PostgresAddress.parse(address), create);
      default ->
          throw new Stop(
              Exit.USAGE,
              "no store is called '" + kind + "'; give a SQLite file or a postgresql:// address");
    };
  }

  private static Provider openFile(String name, boolean create) {
    Path file = path(name);
    if (looksLikeAddress(name) && !Files.exists(file)) {
      throw PostgresAddress.unreadable();
    }
    if (!create && !Files.exists(file)) {
      throw new Stop(Exit.UNREACHABLE, "there is no file '" + name + "'");
    }
    return SqliteProvider.open(file);
  }

  /** A mistyped address of a server must not be quoted as the name of a file. */
  private static boolean looksLikeAddress(String name) {
    return name.contains("@")
        || name.contains("://")
        || name.toLowerCase(Locale.ROOT).contains("password=");
  }

  private static Provider openSchema(PostgresAddress address, boolean create) {
    PostgresOptions options =
        PostgresOptions.DEFAULT
            .withSchema(address.schema())
            .withLanes(1)
            .withConnections(2)
            .withNotifications(false);
    if (!PostgresProvider.holdsStore(address.url(), options) && !create) {
      throw new Stop(
          Exit.UNREACHABLE,
          "the schema '%s' of this database holds no store; name another with ?schema="
              .formatted(address.schema()));
    }
    return PostgresProvider.open(address.url(), options);
  }

  private static Path path(String name) {
    try {
      return Path.of(name);
    } catch (InvalidPathException malformed) {
      throw PostgresAddress.unreadable();
    }
  }
}
