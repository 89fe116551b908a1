package io.duroxide.api;

import java.util.Collection;
import java.util.Comparator;
import java.util.SequencedCollection;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.exc.MismatchedInputException;
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
          .addModule(
              new SimpleModule()
                  .addSerializer(new UnorderedSets())
                  .setDeserializerModifier(new ExactTimes()))
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
      return (T) (bareFirst ? bare(text, target) : json(text, target));
    } catch (FiniteNumbers.TooLarge e) {
      throw undecodable(text, target, e);
    } catch (JacksonException first) {
      return (T) decodeOtherwise(text, target, bareFirst, first);
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
  @SuppressWarnings("unchecked")
  public <T> T decodeJson(String text, TypeRef<T> type) {
    JavaType target = mapper.constructType(type.type());
    try {
      return (T) json(text, target);
    } catch (JacksonException e) {
      throw undecodable(text, target, e);
    }
  }

  private Object json(String text, JavaType target) {
    try (JsonParser parser = new FiniteNumbers(mapper.createParser(text))) {
      return checked(text, target, mapper.<@Nullable Object>readValue(parser, target));
    }
  }

  private Object bare(String text, JavaType target) {
    return checked(text, target, mapper.<@Nullable Object>convertValue(text, target));
  }

  /** Jackson makes null of a blank text and infinity of a text such as {@code 1e400}. */
  @SuppressWarnings("NullAway") // the value of a JSON null is null, whatever its type
  private static Object checked(String text, JavaType target, @Nullable Object value) {
    boolean lost = value == null && !text.strip().equals("null");
    boolean grown =
        (value instanceof Double wide && wide.isInfinite())
            || (value instanceof Float narrow && narrow.isInfinite());
    if (lost || (grown && !text.contains("INF") && !text.contains("Infinity"))) {
      throw MismatchedInputException.from(
          (JsonParser) null, target, lost ? "there is no value" : "the number is too large");
    }
    return value;
  }

  /**
   * Dates, ids and other values whose JSON is a string were stored without quotes. For enums and
   * characters the bare text comes first, because a name such as {@code 5} is JSON too.
   */
  private Object decodeOtherwise(
      String text, JavaType target, boolean bareFirst, JacksonException first) {
    try {
      return bareFirst ? json(text, target) : bare(text, target);
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
