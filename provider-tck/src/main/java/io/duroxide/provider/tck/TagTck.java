package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** TAG: which activities a worker gets by their tag. */
public abstract class TagTck extends LifecycleSteps {
  private static final TagFilter GPU = TagFilter.tags("gpu");

  /** For subclasses. */
  protected TagTck() {}

  @Test
  @DisplayName("TCK-TAG-01 DefaultOnly gets untagged activities alone")
  void defaultOnly() {
    queue(null, "gpu", null);
    assertThat(all(TagFilter.DEFAULT_ONLY)).containsExactly(1L, 3L);
  }

  @Test
  @DisplayName("TCK-TAG-02 Tags gets matching activities alone")
  void tags() {
    queue(null, "gpu", "cpu", "gpu");
    assertThat(all(GPU)).containsExactly(2L, 4L);
  }

  @Test
  @DisplayName("TCK-TAG-03 DefaultAnd gets untagged and matching activities")
  void defaultAnd() {
    queue(null, "gpu", "cpu");
    assertThat(all(TagFilter.defaultAnd("gpu"))).containsExactly(1L, 2L);
  }

  @Test
  @DisplayName("TCK-TAG-04 None gets nothing")
  void none() {
    queue(null, "gpu");
    assertThat(all(TagFilter.NONE)).isEmpty();
  }

  @Test
  @DisplayName("TCK-TAG-05 a filter may name several tags")
  void severalTags() {
    queue("gpu", "tpu", "cpu", null);
    assertThat(all(TagFilter.tags("gpu", "tpu"))).containsExactly(1L, 2L);
  }

  @Test
  @DisplayName("TCK-TAG-06 an activity comes back with its tag and its name")
  void roundTrip() {
    queue("gpu");
    WorkItem.ActivityExecute item = item(present(take(GPU)));
    assertThat(item).isEqualTo(tagged(1, "gpu"));
  }

  @Test
  @DisplayName("TCK-TAG-07 Any gets everything")
  void any() {
    queue("gpu", null, "cpu");
    assertThat(all(TagFilter.ANY)).containsExactly(1L, 2L, 3L);
  }

  @Test
  @DisplayName("TCK-TAG-08 an abandoned activity keeps its tag")
  void abandoned() {
    queue("gpu", null);
    LockedWork first = present(take(GPU));
    provider.abandonWorkItem(first.lockToken(), Duration.ZERO, false);
    assertThat(all(TagFilter.DEFAULT_ONLY)).containsExactly(2L);
    LockedWork second = present(take(GPU));
    assertThat(item(second).routing().tag()).isEqualTo("gpu");
    assertThat(second.attemptCount()).isGreaterThanOrEqualTo(2);
    assertThat(second.lockToken()).isNotEqualTo(first.lockToken());
  }

  @Test
  @DisplayName("TCK-TAG-09 workers with other filters each get exactly their share")
  void shares() {
    queue("gpu", "cpu", null, "gpu", "tpu");
    assertThat(all(TagFilter.tags("cpu"))).containsExactly(2L);
    assertThat(take(TagFilter.tags("gpu", "cpu"))).map(TagTck::id).contains(1L);
    assertThat(all(TagFilter.defaultAnd("gpu"))).containsExactly(3L, 4L);
    assertThat(all(TagFilter.ANY)).containsExactly(5L);
  }

  @Test
  @DisplayName("TCK-TAG-10 the tag of an activity queued by a commit counts")
  void queuedByCommit() {
    createWith("x", List.of(tagged(1, "gpu"), tagged(2, null)));
    assertThat(all(TagFilter.DEFAULT_ONLY)).containsExactly(2L);
    assertThat(all(GPU)).containsExactly(1L);
  }

  @Test
  @DisplayName("TCK-TAG-11 a filter names 1 to 5 tags and matches as the table says")
  void filters() {
    assertThat(TagFilter.tags("a", "b", "c", "d", "e").admits("e")).isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TagFilter.tags("a", "b", "c", "d", "e", "f"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TagFilter.defaultAnd("a", "b", "c", "d", "e", "f"));
    assertThatIllegalArgumentException().isThrownBy(TagFilter::tags);
    assertThatIllegalArgumentException().isThrownBy(TagFilter::defaultAnd);
    assertThat(WorkFetch.of(LOCK, Duration.ZERO).tags()).isEqualTo(TagFilter.DEFAULT_ONLY);
    admits(TagFilter.DEFAULT_ONLY, true, false, false);
    admits(GPU, false, true, false);
    admits(TagFilter.defaultAnd("gpu"), true, true, false);
    admits(TagFilter.ANY, true, true, true);
    admits(TagFilter.NONE, false, false, false);
  }

  @Test
  @DisplayName("TCK-TAG-12 tags differ by case and blanks")
  void exactTags() {
    queue("gpu", "GPU", "gpu ", " gpu", null);
    assertThat(all(GPU)).containsExactly(1L);
    assertThat(all(TagFilter.tags("GPU"))).containsExactly(2L);
    assertThat(all(TagFilter.tags("gpu "))).containsExactly(3L);
    assertThat(all(TagFilter.tags(" gpu"))).containsExactly(4L);
    assertThat(all(TagFilter.DEFAULT_ONLY)).containsExactly(5L);
  }

  @Test
  @DisplayName("TCK-TAG-13 matching activities come in order, hidden ones are passed over")
  void order() {
    queue("gpu", "cpu", "gpu", "gpu");
    LockedWork first = present(take(GPU));
    assertThat(id(first)).isEqualTo(1);
    provider.abandonWorkItem(first.lockToken(), timeout(), false);
    assertThat(all(GPU)).containsExactly(3L, 4L);
    letLocksExpire();
    assertThat(all(GPU)).containsExactly(1L);
  }

  @Test
  @DisplayName("TCK-TAG-14 1000 activities that nobody serves do not hide the one behind them")
  void unservedAhead() {
    for (int i = 1; i <= 1000; i++) {
      provider.enqueueForWorker(tagged(i, "unserved"));
    }
    provider.enqueueForWorker(tagged(1001, null));
    assertThat(take(TagFilter.DEFAULT_ONLY)).map(TagTck::id).contains(1001L);
  }

  @Test
  @DisplayName("TCK-TAG-15 a tag of 256 bytes works")
  void longTag() {
    String tag = "0123456789abcdef".repeat(16);
    queue(tag, tag.replace('f', 'g'));
    assertThat(all(TagFilter.tags(tag))).containsExactly(1L);
  }

  @Test
  @DisplayName("TCK-TAG-16 the filter None counts no attempt and takes no lock")
  void noneTouchesNothing() {
    queue(null, "gpu");
    for (int i = 0; i < 3; i++) {
      assertThat(take(TagFilter.NONE)).isEmpty();
    }
    assertThat(take(TagFilter.ANY)).map(LockedWork::attemptCount).contains(1);
    assertThat(take(TagFilter.ANY)).map(LockedWork::attemptCount).contains(1);
  }

  /** Queues activities 1, 2, 3 … with these tags; null for none. */
  private void queue(@Nullable String... tags) {
    for (int i = 0; i < tags.length; i++) {
      provider.enqueueForWorker(tagged(i + 1, tags[i]));
    }
  }

  private static WorkItem.ActivityExecute tagged(long id, @Nullable String tag) {
    return Items.activity(key("x", id), new ActivityRouting(null, tag));
  }

  private Optional<LockedWork> take(TagFilter tags) {
    return wfetch(provider, WorkFetch.of(LOCK, Duration.ZERO).withTags(tags));
  }

  /** The ids of everything this filter gets, until nothing is left. */
  private List<Long> all(TagFilter tags) {
    List<Long> ids = new ArrayList<>();
    for (var next = take(tags); next.isPresent(); next = take(tags)) {
      ids.add(id(next.orElseThrow()));
    }
    return ids;
  }

  private static long id(LockedWork locked) {
    return locked.key().activityId();
  }

  private static WorkItem.ActivityExecute item(LockedWork locked) {
    return Objects.requireNonNull(locked.item(), "item");
  }

  private static void admits(TagFilter filter, boolean none, boolean gpu, boolean cpu) {
    assertThat(List.of(filter.admits(null), filter.admits("gpu"), filter.admits("cpu")))
        .isEqualTo(List.of(none, gpu, cpu));
  }
}
