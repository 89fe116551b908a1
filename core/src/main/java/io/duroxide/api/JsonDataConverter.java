package io.duroxide.api;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The default converter. Map keys and properties are sorted so that equal values give equal text.
 * Thread-safe.
 */
final class JsonDataConverter implements DataConverter {
  static final JsonDataConverter INSTANCE = new JsonDataConverter();

  private static final int MAX_TEXT = 512 * 1024 * 1024;
  private static final int SHOWN = 80;

  private final JsonMapper mapper =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(MAX_TEXT).build())
                  .build())
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonDataConverter() {}

  @Override
  public String encode(Object value) {
    if (value instanceof String text) {
      return text;
    }
    String json = encodeJson(value);
    return json.startsWith("\"") ? decodeJson(json, TypeRef.of(String.class)) : json;
  }

  @Override
  @SuppressWarnings("unchecked")
  public <T> T decode(String text, TypeRef<T> type) {
    if (type.type() == String.class) {
      return (T) text;
    }
    JavaType target = mapper.constructType(type.type());
    try {
      return mapper.readValue(text, target);
    } catch (JacksonException notJson) {
      return decodeAsString(text, type, notJson);
    }
  }

  @Override
  public String encodeJson(Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException e) {
      throw new DataConversionException(
          "cannot encode a %s as JSON: %s"
              .formatted(value.getClass().getName(), e.getOriginalMessage()),
          e);
    }
  }

  @Override
  public <T> T decodeJson(String text, TypeRef<T> type) {
    JavaType target = mapper.constructType(type.type());
    try {
      return mapper.readValue(text, target);
    } catch (JacksonException e) {
      throw undecodable(text, target, e);
    }
  }

  /** Enums, dates, ids: their JSON is a string, so they were stored without quotes. */
  private <T> T decodeAsString(String text, TypeRef<T> type, JacksonException notJson) {
    JavaType target = mapper.constructType(type.type());
    try {
      return mapper.convertValue(text, target);
    } catch (JacksonException e) {
      throw undecodable(text, target, notJson);
    }
  }

  private static DataConversionException undecodable(
      String text, JavaType target, JacksonException cause) {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    return new DataConversionException(
        "decode failed: '%s' is no %s: %s"
            .formatted(shown, target.toCanonical(), cause.getOriginalMessage()),
        cause);
  }
}
