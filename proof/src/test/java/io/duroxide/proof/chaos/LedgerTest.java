package io.duroxide.proof.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Ledger")
class LedgerTest {
  private static final Entry.Step STEP = new Entry.Step("instance", "step");
  private static final Entry.Call CALL = new Entry.Call(Entry.Deed.SEND, "queue", "a\n\"b\" ü");

  @TempDir private Path folder;

  @Test
  @DisplayName("what was added is there before the ledger is closed, part by part")
  void parts() {
    Entry intent = new Entry.Intent("1", STEP, CALL, 10, 20);
    Entry answer = new Entry.Answer("1", Entry.Result.UNKNOWN, "gone", 30);
    try (Ledger first = Ledger.open(folder, "client-1", "a");
        Ledger other = Ledger.open(folder, "client-12", "b")) {
      first.add(intent);
      other.add(answer);
      assertThat(Ledger.read(folder, "client-1")).endsWith(intent).hasSize(2);
      assertThat(Ledger.readAll(folder)).contains(intent, answer);
    }
  }

  @Test
  @DisplayName("a last line that was written in part is left out")
  void torn() throws IOException {
    Entry stall = new Entry.Stall(1, 2);
    try (Ledger ledger = Ledger.open(folder, "client", "a")) {
      ledger.add(stall);
    }
    Files.writeString(
        folder.resolve("client.a.ledger"), "{\"is\":\"Sta", StandardOpenOption.APPEND);

    assertThat(Ledger.read(folder, "client")).endsWith(stall).hasSize(2);
  }

  @Test
  @DisplayName("a client that takes over makes a call again that had no answer, and no other")
  void takesOver() {
    int[] made = {0, 0, 0};
    try (Ledger ledger = Ledger.open(folder, "client", "a")) {
      CallBook book = new CallBook(ledger, List.of(), "a");
      book.insist(STEP, CALL, () -> made[0]++);
    }
    Entry.Step open = new Entry.Step("instance", "open");
    try (Ledger ledger = Ledger.open(folder, "client", "b")) {
      ledger.add(new Entry.Intent("b/1", open, CALL, 10, 20));
    }
    List<Entry> earlier = Ledger.read(folder, "client");
    try (Ledger ledger = Ledger.open(folder, "client", "c")) {
      CallBook book = new CallBook(ledger, earlier, "c");
      book.insist(STEP, CALL, () -> made[0]++);
      book.insist(open, CALL, () -> made[1]++);
      book.tryOnce(open, CALL, earlier, () -> made[2]++);
    }

    assertThat(made).containsExactly(1, 1, 0);
  }
}
