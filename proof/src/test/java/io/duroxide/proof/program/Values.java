package io.duroxide.proof.program;

import io.duroxide.api.DataConverter;
import io.duroxide.api.TypeRef;

/** Amounts as they are stored. */
final class Values {
  private static final TypeRef<Amount> AMOUNT = TypeRef.of(Amount.class);

  private Values() {}

  static String text(Amount amount) {
    return DataConverter.json().encodeJson(amount);
  }

  static Amount amount(String text) {
    return DataConverter.json().decodeJson(text, AMOUNT);
  }
}
