package io.duroxide.provider.sqlite;

/**
 * A message's position: by the instant it turns visible, then in the order of arrival.
 *
 * @param seq unique in the store
 */
record Place(long at, long seq) {}
