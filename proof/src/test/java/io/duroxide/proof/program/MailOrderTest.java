package io.duroxide.proof.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MailOrderTest {
  private static final List<Program.Mail> SENT =
      List.of(mail(1, "a1"), mail(1, "a2"), mail(2, "b1"), mail(1, "a3"), mail(2, "b2"));

  private static Program.Mail mail(int sender, String text) {
    return new Program.Mail(sender, "queue", text);
  }

  /** Reads the first places in order, as a run did. */
  private static List<String> check(Set<String> doubtful, String recorded) {
    MailOrder order = MailOrder.asRead(SENT, doubtful, recorded);
    List<String> read = new ArrayList<>();
    for (int place = 0; place < recorded.chars().filter(c -> c == ',').count(); place++) {
      read.add(order.read(place));
    }
    order.check();
    return read;
  }

  @Test
  @DisplayName("messages of one sender stand in their order, those of several in any that fits")
  void fits() {
    assertThat(check(Set.of(), "a1,b1,a2,")).containsExactly("a1", "b1", "a2");
    assertThat(check(Set.of(), "b1,b2,a1,a2,a3,")).hasSize(5);
    assertThat(check(Set.of(), "")).isEmpty();
  }

  @Test
  @DisplayName("what was not sent, came twice, in the wrong order or not at all is told")
  void doesNotFit() {
    assertThatThrownBy(() -> check(Set.of(), "a1,c1,")).hasMessageContaining("not sent");
    assertThatThrownBy(() -> check(Set.of(), "a1,a1,")).hasMessageContaining("twice");
    assertThatThrownBy(() -> check(Set.of(), "a2,a1,")).hasMessageContaining("sent later");
    assertThatThrownBy(() -> check(Set.of(), "a1,a3,b1,")).hasMessageContaining("left out");
  }

  @Test
  @DisplayName("a message whose send had no answer may come twice, also with what came with it")
  void doubtful() {
    assertThat(check(Set.of("a1"), "a1,a1,a2,")).hasSize(3);
    assertThat(check(Set.of("a1", "a2"), "a1,a2,a1,a2,b1,")).hasSize(5);
    assertThatThrownBy(() -> check(Set.of("a1"), "a1,a2,a2,")).hasMessageContaining("twice");
  }

  @Test
  @DisplayName("reads that were waited for in another order say where their messages stood")
  void otherOrder() {
    MailOrder order = MailOrder.asRead(SENT, Set.of(), "a2,a1,b1,");
    assertThat(order.read(1)).isEqualTo("a2");
    assertThat(order.read(0)).isEqualTo("a1");
    assertThat(order.read(2)).isEqualTo("b1");
    order.check();
    assertThatThrownBy(() -> order.read(3)).hasMessageContaining("less was read");
  }
}
