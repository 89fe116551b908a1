package io.duroxide.provider.postgres;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses as the driver takes them. They are read here before the driver sees them, because it
 * tells its log and its caller what it cannot read, and a password may stand there.
 */
final class JdbcAddress {
  static final String UNREADABLE =
      "the address of the store cannot be read; write postgresql://user@host:5432/database";

  private static final String HOST = "(?:[A-Za-z0-9_.-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?";
  private static final Pattern ADDRESS =
      Pattern.compile(
          "jdbc:postgresql:(?://(?:HOST(?:,HOST)*)?/)?([\\w.%$~+-]*)(?:\\?(.*))?"
              .replace("HOST", HOST));
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z][\\w.]*(?:=(\\S*))?");

  private JdbcAddress() {}

  /** The address if it can be read; a user before the host belongs into a parameter. */
  static String checked(String url) {
    Matcher address = ADDRESS.matcher(url);
    if (!address.matches() || !isDecodable(address.group(1))) {
      throw unreadable();
    }
    String parameters = address.group(2);
    for (String parameter : parameters == null ? new String[0] : parameters.split("&", -1)) {
      Matcher parts = PARAMETER.matcher(parameter);
      if (!parts.matches() || (parts.group(1) != null && !isDecodable(parts.group(1)))) {
        throw unreadable();
      }
    }
    return url;
  }

  private static boolean isDecodable(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8) != null;
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  private static RuntimeException unreadable() {
    return Refusal.invalid("open", UNREADABLE);
  }
}
