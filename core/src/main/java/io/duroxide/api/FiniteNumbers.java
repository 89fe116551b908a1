package io.duroxide.api;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Reads JSON whose numbers are what they say: one that is too large for a double or float is
 * refused, where Jackson makes infinity of it. Not thread-safe: one for each text.
 */
final class FiniteNumbers extends JsonParserDelegate {

  /** A number that the asked type cannot hold; another reading of the text would not be better. */
  static final class TooLarge extends StreamReadException {
    private static final long serialVersionUID = 1L;

    TooLarge(JsonParser parser) {
      super(parser, "the number " + shown(parser.getString()) + " is too large");
    }

    private static String shown(String number) {
      return number.length() <= SHOWN ? number : number.substring(0, SHOWN) + "…";
    }
  }

  private static final int SHOWN = 40;

  FiniteNumbers(JsonParser parser) {
    super(parser);
  }

  @Override
  public double getDoubleValue() {
    return finite(super.getDoubleValue());
  }

  @Override
  public float getFloatValue() {
    return finite(super.getFloatValue());
  }

  @Override
  public Number getNumberValue() {
    return finite(super.getNumberValue());
  }

  @Override
  public Number getNumberValueExact() {
    return finite(super.getNumberValueExact());
  }

  @Override
  public double getValueAsDouble() {
    return getValueAsDouble(0);
  }

  @Override
  public double getValueAsDouble(double absent) {
    double value = super.getValueAsDouble(absent);
    return hasToken(JsonToken.VALUE_NUMBER_FLOAT) ? finite(value) : value;
  }

  private <N extends Number> N finite(N number) {
    boolean infinite =
        (number instanceof Double wide && wide.isInfinite())
            || (number instanceof Float narrow && narrow.isInfinite());
    if (infinite) {
      throw new TooLarge(this);
    }
    return number;
  }
}
