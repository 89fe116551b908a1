package io.duroxide.provider;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which activity tags a worker serves. */
public sealed interface TagFilter {
  /** The most tags one filter may name. */
  int MAX_TAGS = 5;

  TagFilter DEFAULT_ONLY = new DefaultOnly();
  TagFilter ANY = new Any();
  TagFilter NONE = new None();

  /** Whether an activity with {@code tag}, null for none, is served. */
  boolean admits(@Nullable String tag);

  static TagFilter tags(String... tags) {
    return new Tags(distinct(List.of(tags)));
  }

  static TagFilter defaultAnd(String... tags) {
    return new DefaultAnd(distinct(List.of(tags)));
  }

  private static Set<String> distinct(Collection<String> tags) {
    return Set.copyOf(tags);
  }

  private static Set<String> checked(Set<String> tags) {
    if (tags.isEmpty() || tags.size() > MAX_TAGS) {
      throw new IllegalArgumentException(
          "a tag filter names 1 to " + MAX_TAGS + " tags, not " + tags.size());
    }
    return Set.copyOf(tags);
  }

  /** Untagged activities. */
  record DefaultOnly() implements TagFilter {
    @Override
    public boolean admits(@Nullable String tag) {
      return tag == null;
    }
  }

  /** Activities with one of these tags. */
  record Tags(Set<String> tags) implements TagFilter {
    public Tags {
      tags = checked(tags);
    }

    @Override
    public boolean admits(@Nullable String tag) {
      return tag != null && tags.contains(tag);
    }
  }

  /** Untagged activities and those with one of these tags. */
  record DefaultAnd(Set<String> tags) implements TagFilter {
    public DefaultAnd {
      tags = checked(tags);
    }

    @Override
    public boolean admits(@Nullable String tag) {
      return tag == null || tags.contains(tag);
    }
  }

  /** Everything. */
  record Any() implements TagFilter {
    @Override
    public boolean admits(@Nullable String tag) {
      return true;
    }
  }

  /** Nothing. */
  record None() implements TagFilter {
    @Override
    public boolean admits(@Nullable String tag) {
      return false;
    }
  }
}
