package io.duroxide.api;

/** What the typed methods of {@link OrchestrationContext} share. */
final class Payloads {
  private Payloads() {}

  /** An input that cannot be encoded is a programming error of the orchestration. */
  static String encode(OrchestrationContext context, Object input) {
    try {
      return context.converter().encode(input);
    } catch (DataConversionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @SuppressWarnings("unchecked")
  static <T> Outcome<T> narrow(Outcome<Object> outcome) {
    return (Outcome<T>) outcome;
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <T> T narrow(Object value) {
    return (T) value;
  }
}
