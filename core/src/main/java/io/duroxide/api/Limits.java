package io.duroxide.api;

/**
 * What one instance may store; checked before each commit, sizes in UTF-8 bytes.
 *
 * @param customStatusBytes longest custom status
 * @param tagBytes longest activity tag
 * @param kvValueBytes longest KV value
 * @param kvKeys most KV keys alive
 * @param carriedMessages most queue messages carried by a continue-as-new; the oldest are kept
 */
public record Limits(
    int customStatusBytes, int tagBytes, int kvValueBytes, int kvKeys, int carriedMessages) {
  /** 256 KiB status, 256-byte tags, 150 keys of 64 KiB; every carried message is kept. */
  public static final Limits DEFAULT = new Limits(262_144, 256, 65_536, 150, Integer.MAX_VALUE);

  public Limits {
    if (customStatusBytes < 0 || tagBytes < 0 || kvValueBytes < 0 || kvKeys < 0) {
      throw new IllegalArgumentException("limits must not be negative");
    }
    if (carriedMessages < 0) {
      throw new IllegalArgumentException("carriedMessages must not be negative");
    }
  }
}
