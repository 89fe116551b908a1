package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.CarriedEvent;
import io.duroxide.model.QueueReads;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.QueueRoom;
import io.duroxide.replay.MailboxCount;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Windows of mailboxes")
class MailboxWindowsTest {
  private static final MailboxWindows FIRST = new MailboxWindows(1, List.of());
  private static final MailboxWindows LATER =
      new MailboxWindows(2, List.of(new QueueReads("known", 20)));

  private static int room(MailboxWindows windows, MailboxCount count) {
    return windows.rules(List.of(count)).room(count.queue()).messages();
  }

  private static MailboxCount count(int read, int unread) {
    return new MailboxCount("q", read, unread, unread, 0);
  }

  @Test
  @DisplayName("a first execution begins with 64, and nothing is told while that is so")
  void first() {
    assertThat(FIRST.rules(List.of())).isEqualTo(MailboxRules.FIRST);
    assertThat(FIRST.rules(List.of(count(32, 0)))).isEqualTo(MailboxRules.FIRST);
    assertThat(FIRST.rules(List.of(new MailboxCount("q", 3, 0, 0, 1))))
        .isEqualTo(MailboxRules.FIRST);
  }

  @Test
  @DisplayName("the window is twice what was read, between 8 and 1,024")
  void twice() {
    assertThat(room(FIRST, count(40, 0))).isEqualTo(80);
    assertThat(room(FIRST, count(5000, 0))).isEqualTo(1024);
    assertThat(room(LATER, count(0, 0))).isEqualTo(8);
    assertThat(room(LATER, count(5, 0))).isEqualTo(10);
    assertThat(room(LATER, new MailboxCount("known", 1, 0, 0, 0))).isEqualTo(40);
    assertThat(room(LATER, new MailboxCount("known", 30, 0, 0, 0))).isEqualTo(60);
    assertThat(LATER.rules(List.of()).room("known").messages()).isEqualTo(40);
  }

  @Test
  @DisplayName("a queue is closed while more than half of its window is unread")
  void half() {
    assertThat(room(FIRST, count(0, 32))).isEqualTo(32);
    assertThat(room(FIRST, count(0, 33))).isZero();
    assertThat(room(LATER, count(0, 4))).isEqualTo(4);
    assertThat(room(LATER, count(0, 5))).isZero();
  }

  @Test
  @DisplayName("bytes count in the same way")
  void bytes() {
    long half = QueueRoom.BYTES / 2;
    assertThat(FIRST.rules(List.of(new MailboxCount("q", 0, 1, half, 0))).room("q"))
        .isEqualTo(new QueueRoom(63, half));
    assertThat(room(FIRST, new MailboxCount("q", 0, 1, half + 1, 0))).isZero();
  }

  @Test
  @DisplayName("code that waits for more than a window gets it")
  void awaited() {
    assertThat(room(FIRST, new MailboxCount("q", 0, 60, 60, 100))).isEqualTo(40);
    assertThat(room(FIRST, new MailboxCount("q", 0, 99, QueueRoom.BYTES * 2, 100))).isEqualTo(1);
    assertThat(room(FIRST, new MailboxCount("q", 0, 100, 100, 100))).isZero();
  }

  @Test
  @DisplayName("the next execution is told what was read, unless it makes no difference")
  void told() {
    List<MailboxCount> counts =
        List.of(
            new MailboxCount("few", 4, 0, 0, 0),
            new MailboxCount("some", 5, 0, 0, 0),
            new MailboxCount("many", 9000, 0, 0, 0));
    assertThat(MailboxWindows.told(counts))
        .containsExactly(new QueueReads("many", 512), new QueueReads("some", 5));
  }

  @Test
  @DisplayName("what is carried counts as unread in the next execution")
  void carried() {
    MailboxWindows next = new MailboxWindows(2, List.of(new QueueReads("many", 512)));
    List<CarriedEvent> carried = Collections.nCopies(5, new CarriedEvent("few", "x"));
    MailboxRules rules = next.rulesBefore(carried);

    assertThat(rules.isClosed("few")).isTrue();
    assertThat(rules.room("many")).isEqualTo(QueueRoom.of(1024));
    assertThat(rules.others()).isEqualTo(QueueRoom.of(8));
    assertThat(next.rulesBefore(carried.subList(0, 3)).room("few").messages()).isEqualTo(5);
  }
}
