package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Rules of mailboxes")
class MailboxRulesTest {
  private static final MailboxRules RULES =
      new MailboxRules(
          QueueRoom.of(8),
          Map.of("full", QueueRoom.NONE, "a 1 b\n", new QueueRoom(2, 10), "", QueueRoom.of(3)));

  @Test
  @DisplayName("come back from their stored form, whatever the names hold")
  void stored() {
    for (MailboxRules rules : List.of(RULES, MailboxRules.FIRST, MailboxRules.OPEN)) {
      assertThat(MailboxRules.ofStored(rules.stored())).isEqualTo(rules);
    }
    assertThat(MailboxRules.ofStored(null)).isEqualTo(MailboxRules.FIRST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "8", "8 x ", "8 10 3 ", "-1 2 ", "8 10 1 1 5 a", "8 10 1 1 -5 abc"})
  @DisplayName("that cannot be read hold nothing back for good")
  void unreadable(String stored) {
    assertThat(MailboxRules.ofStored(stored)).isEqualTo(MailboxRules.FIRST);
  }

  @Test
  @DisplayName("name no queue whose room is the usual one")
  void usual() {
    assertThat(MailboxRules.FIRST.with("q", QueueRoom.of(64))).isEqualTo(MailboxRules.FIRST);
    assertThat(RULES.room("other")).isEqualTo(QueueRoom.of(8));
    assertThat(RULES.isClosed("full")).isTrue();
  }

  private static List<String> within(MailboxRules rules, String... messages) {
    return rules.within(
        List.of(messages),
        message -> message.startsWith("-") ? null : message.substring(0, 1),
        String::length);
  }

  @Test
  @DisplayName("let through the beginning of each queue and all that is for none")
  void beginnings() {
    MailboxRules rules =
        MailboxRules.ofEach(new QueueRoom(2, 6)).with("f", QueueRoom.NONE).with("b", QueueRoom.ANY);

    assertThat(within(rules, "a1", "f1", "-x", "b1", "a2", "b2", "a3", "-y", "b3", "f2"))
        .containsExactly("a1", "-x", "b1", "a2", "b2", "-y", "b3");
  }

  @Test
  @DisplayName("bound bytes too, let one message through at least, and skip none")
  void bytes() {
    MailboxRules rules = MailboxRules.ofEach(new QueueRoom(9, 6));

    assertThat(within(rules, "a1234567", "a2")).containsExactly("a1234567");
    assertThat(within(rules, "a1", "a12345", "a2")).containsExactly("a1");
  }
}
