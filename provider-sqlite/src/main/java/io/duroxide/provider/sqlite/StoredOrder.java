package io.duroxide.provider.sqlite;

/** The order in which the database has texts: by code point, where Java goes by half of one. */
final class StoredOrder {
  private StoredOrder() {}

  static int compare(String one, String other) {
    int end = Math.min(one.length(), other.length());
    for (int i = 0; i < end; i++) {
      char left = one.charAt(i);
      char right = other.charAt(i);
      if (left != right) {
        boolean isPlain = Character.isSurrogate(left) == Character.isSurrogate(right);
        return isPlain
            ? Character.compare(left, right)
            : Boolean.compare(Character.isSurrogate(left), Character.isSurrogate(right));
      }
    }
    return Integer.compare(one.length(), other.length());
  }
}
