package io.duroxide.provider.postgres;

import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WorkFetch;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A fetch of activities. */
final class FetchWork extends Command<Look<RawWork>> {
  static final String OPERATION = "fetchWorkItem";

  /** One statement locks no more than this. */
  private static final int MOST = 256;

  private final Shape shape;
  private final int max;

  /**
   * What fetches must have in common to be done as one.
   *
   * @param asks whether it waits if there is nothing
   */
  record Shape(
      long lock,
      TagFilter tags,
      @Nullable Set<String> names,
      @Nullable SessionFetchConfig session,
      boolean asks) {

    /** How many new sessions a fetch may claim counts for each fetch by itself. */
    boolean canBeShared() {
      return session == null || session.maxNewSessions() == Integer.MAX_VALUE;
    }

    /** The tags that are served, as they are stored; null for any. */
    @Nullable List<String> storedTags() {
      return switch (tags) {
        case TagFilter.DefaultOnly only -> List.of(NewWork.storedTag(null));
        case TagFilter.Tags some -> some.tags().stream().map(NewWork::storedTag).toList();
        case TagFilter.DefaultAnd some ->
            Stream.concat(
                    Stream.of(NewWork.storedTag(null)),
                    some.tags().stream().map(NewWork::storedTag))
                .toList();
        case TagFilter.Any any -> null;
        case TagFilter.None none -> List.of();
      };
    }
  }

  FetchWork(WorkFetch request, int max) {
    super(OPERATION);
    this.shape =
        new Shape(
            Millis.of(request.lockTimeout()),
            request.tags(),
            request.activityNames(),
            request.session(),
            request.pollTimeout().isPositive());
    this.max = Math.min(max, MOST);
  }

  Shape shape() {
    return shape;
  }

  int max() {
    return max;
  }
}
