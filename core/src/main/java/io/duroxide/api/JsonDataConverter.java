package io.duroxide.api;

import java.util.Collection;
import java.util.Comparator;
import java.util.SequencedCollection;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * The default converter. Map keys, bean properties and sets without an order of their own are
 * sorted so that equal values give equal text. Thread-safe.
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
          .addModule(new SimpleModule().addSerializer(new UnorderedSets()))
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
    boolean bareFirst = target.isEnumType() || target.hasRawClass(Character.class);
    try {
      return bareFirst ? mapper.convertValue(text, target) : mapper.readValue(text, target);
    } catch (JacksonException first) {
      return decodeOtherwise(text, type, bareFirst, first);
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

  /**
   * Dates, ids and other values whose JSON is a string were stored without quotes. For enums and
   * characters the bare text comes first, because a name such as {@code 5} is JSON too.
   */
  private <T> T decodeOtherwise(
      String text, TypeRef<T> type, boolean bareFirst, JacksonException first) {
    JavaType target = mapper.constructType(type.type());
    try {
      return bareFirst ? mapper.readValue(text, target) : mapper.convertValue(text, target);
    } catch (JacksonException second) {
      throw undecodable(text, target, first);
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

  /** The order of hash sets differs between processes; sorted by their text it does not. */
  private static final class UnorderedSets extends StdSerializer<Set<?>> {
    UnorderedSets() {
      super(Set.class);
    }

    @Override
    public void serialize(Set<?> value, JsonGenerator out, SerializationContext context) {
      Collection<?> elements = value;
      if (!(value instanceof SequencedCollection<?>)) {
        elements = value.stream().sorted(Comparator.comparing(INSTANCE::encodeJson)).toList();
      }
      out.writeStartArray(value);
      for (Object element : elements) {
        context.writeValue(out, element);
      }
      out.writeEndArray();
    }
  }
}
