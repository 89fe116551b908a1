package io.duroxide.cli;

import io.duroxide.provider.postgres.PostgresOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL address: {@code postgresql://user:password@host:port/database?schema=name}, with or
 * without {@code jdbc:} before it. Other parameters are the driver's.
 *
 * @param url as the driver takes it
 * @param schema the schema that holds the store
 */
record PostgresAddress(String url, String schema) {
  private static final String SCHEMA = "schema";

  static PostgresAddress parse(String address) {
    URI uri = uri(address.replaceFirst("^jdbc:", ""));
    List<String> parameters = new ArrayList<>();
    addUser(uri.getRawUserInfo(), parameters);
    String schema = PostgresOptions.DEFAULT.schema();
    @Nullable String query = uri.getRawQuery();
    for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
      if (parameter.startsWith(SCHEMA + "=")) {
        schema = decoded(parameter.substring(SCHEMA.length() + 1));
      } else if (!parameter.isEmpty()) {
        parameters.add(parameter);
      }
    }
    String place = uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    String tail = parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    return new PostgresAddress("jdbc:postgresql://" + place + uri.getRawPath() + tail, schema);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "PostgresAddress[schema=" + schema + "]";
  }

  private static URI uri(String address) {
    try {
      URI uri = new URI(address);
      @Nullable String path = uri.getRawPath();
      if (uri.getHost() != null && path != null && path.length() > 1) {
        return uri;
      }
    } catch (URISyntaxException malformed) {
      throw unreadable();
    }
    throw unreadable();
  }

  /** What cannot be read is not quoted: a password may stand anywhere in it. */
  static Stop unreadable() {
    return new Stop(
        Exit.USAGE,
        "the address of the store cannot be read; write postgresql://user@host:5432/database");
  }

  private static void addUser(@Nullable String info, List<String> parameters) {
    if (info == null) {
      return;
    }
    int end = info.indexOf(':');
    parameters.add("user=" + encoded(decoded(end < 0 ? info : info.substring(0, end))));
    if (end >= 0) {
      parameters.add("password=" + encoded(decoded(info.substring(end + 1))));
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw unreadable();
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
