package io.duroxide.api;

/**
 * Turns values into the text that is stored and back.
 *
 * <p>Encoding must be stable: the encoded input of a call is compared with the recorded one when
 * the code is replayed, so equal values must always give equal text. Implementations are
 * thread-safe.
 */
public interface DataConverter {

  /** JSON through Jackson: records, sealed types, generics and java.time work unaided. */
  static DataConverter json() {
    return JsonDataConverter.INSTANCE;
  }

  /**
   * The text of a payload. A value whose JSON is a string is stored as its bare content.
   *
   * @throws DataConversionException if the value cannot be encoded
   */
  String encode(Object value);

  /**
   * The value of a payload. A string type gets the text as it is; other types are read as JSON, and
   * failing that from the text as a string. Null comes only of a JSON null.
   *
   * @throws DataConversionException if the text cannot be decoded, or its number does not fit
   */
  <T> T decode(String text, TypeRef<T> type);

  /** The text of a key-value entry: plain JSON, strings in quotes. */
  String encodeJson(Object value);

  /** The value of a key-value entry: plain JSON. */
  <T> T decodeJson(String text, TypeRef<T> type);
}
