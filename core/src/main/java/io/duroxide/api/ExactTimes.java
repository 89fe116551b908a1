package io.duroxide.api;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.Temporal;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/**
 * Refuses decimal numbers of seconds that no time can hold, of which Jackson makes zero.
 * Thread-safe.
 */
final class ExactTimes extends ValueDeserializerModifier {
  private static final long serialVersionUID = 1L;
  private static final BigDecimal MOST_SECONDS = BigDecimal.valueOf(Long.MAX_VALUE);

  @Override
  public ValueDeserializer<?> modifyDeserializer(
      DeserializationConfig config,
      BeanDescription.Supplier description,
      ValueDeserializer<?> deserializer) {
    Class<?> type = description.getBeanClass();
    return type == Duration.class || Temporal.class.isAssignableFrom(type)
        ? new Guarded(deserializer)
        : deserializer;
  }

  private static final class Guarded extends DelegatingDeserializer {
    Guarded(ValueDeserializer<?> delegate) {
      super(delegate);
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> delegate) {
      return new Guarded(delegate);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.hasToken(JsonToken.VALUE_NUMBER_FLOAT)
          && parser.getDecimalValue().abs().compareTo(MOST_SECONDS) > 0) {
        throw new FiniteNumbers.TooLarge(parser);
      }
      return super.deserialize(parser, context);
    }
  }
}
