package io.duroxide.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.ErrorReportConfiguration;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses a stored JSON object into its fields, in one pass and whatever their order.
 *
 * <p>Values become {@link String}, {@link Long} or {@link Boolean}. The few fields that have
 * structure become {@link FieldReader} and {@link List}. Any other value is skipped and leaves only
 * its {@link JsonToken} behind, so that whoever asks for it hears of a wrong type, not of a missing
 * field. A JSON null is an absent field. Thread-safe.
 */
final class FieldParser {
  private static final int LONGEST_TEXT = 512 * 1024 * 1024;
  private static final int DEEPEST_NESTING = 500;
  private static final Set<String> STRUCTURED =
      Set.of(
          "details",
          "carry_forward_events",
          "queue_reads",
          "prune",
          "auto_prune",
          "effective_options",
          "activities",
          "orchestrations",
          "replays",
          "tags");

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(LONGEST_TEXT)
                  .maxNestingDepth(DEEPEST_NESTING)
                  .build())
          .errorReportConfiguration(
              ErrorReportConfiguration.builder()
                  .maxErrorTokenLength(DecodeException.SHOWN_CHARACTERS)
                  .build())
          .build();

  private FieldParser() {}

  /**
   * The fields of the one object that {@code json} consists of.
   *
   * @param what what it should be, for messages
   */
  static FieldReader parse(String what, String json) {
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new DecodeException(what + ": not a JSON object");
      }
      FieldReader fields = new FieldReader(what, object(parser, what));
      if (parser.nextToken() != null) {
        throw new DecodeException(what + ": something follows the JSON object");
      }
      return fields;
    } catch (JacksonException e) {
      throw unparsable(what, e);
    }
  }

  private static DecodeException unparsable(String what, JacksonException e) {
    // Jackson leaves it out when a size limit was exceeded.
    TokenStreamLocation location = e.getLocation();
    String where = location == null ? "" : " at character " + location.getCharOffset();
    return new DecodeException(what + ": not JSON" + where + ": " + e.getOriginalMessage(), e);
  }

  private static Map<String, Object> object(JsonParser parser, String place) {
    Map<String, Object> values = new HashMap<>(32);
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.VALUE_NULL) {
        continue;
      }
      if (values.put(name, value(parser, token, place, name)) != null) {
        throw new DecodeException(
            place + ": field '" + DecodeException.shown(name) + "' stands there twice");
      }
    }
    return values;
  }

  private static Object value(JsonParser parser, JsonToken token, String place, String name) {
    return switch (token) {
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT -> wholeNumber(parser, token);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case START_OBJECT, START_ARRAY -> structure(parser, token, place, name);
      default -> token;
    };
  }

  private static Object wholeNumber(JsonParser parser, JsonToken token) {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? token
        : (Object) parser.getLongValue();
  }

  private static Object structure(JsonParser parser, JsonToken token, String place, String name) {
    if (!STRUCTURED.contains(name)) {
      parser.skipChildren();
      return token;
    }
    if (token == JsonToken.START_ARRAY) {
      return list(parser, place, name);
    }
    String inner = place + "." + name;
    return new FieldReader(inner, object(parser, inner));
  }

  private static List<Object> list(JsonParser parser, String place, String name) {
    List<Object> elements = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      elements.add(value(parser, token, place, name));
    }
    return elements;
  }
}
