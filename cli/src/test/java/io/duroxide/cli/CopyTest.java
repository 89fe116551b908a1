package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("duroxide copy")
class CopyTest {
  @TempDir private Path folder;

  private static Shell.Ran copy(Object from, Object to, String... more) {
    String[] all = new String[more.length + 3];
    all[0] = "copy";
    all[1] = from.toString();
    all[2] = to.toString();
    System.arraycopy(more, 0, all, 3, more.length);
    return Shell.script().run(all);
  }

  /** A store with two that have ended and one that waits. */
  private Path stocked() {
    try (Workplace work = new Workplace(folder)) {
      work.ended(Workplace.HELLO, "hello", "Kim");
      work.ended(Workplace.COUNT, "count", 1);
      work.begun(Workplace.ASK, "ask", "?");
      return work.file;
    }
  }

  @Test
  @DisplayName("CLI-COPY from a file to PostgreSQL and back, as often as wanted")
  void thereAndBack() {
    Path file = stocked();
    Path back = folder.resolve("back.db");
    String address = PostgresStoreTest.address("?schema=copies");

    Shell.Ran there = copy(file, address);
    assertThat(there.err()).isEmpty();
    assertThat(there.out())
        .contains("copied 3 instances; 0 were there already", "everything is the same");
    assertThat(there.exit()).isZero();
    assertThat(copy(file, address, "--json").json().toString())
        .isEqualTo("{\"copied\":0,\"already_there\":3,\"differences\":[]}");
    assertThat(copy(address, back).exit()).isZero();
    for (String id : new String[] {"hello", "count", "ask"}) {
      assertThat(Shell.script().on(back, "export", id).out())
          .isEqualTo(Shell.script().on(file, "export", id).out());
    }
  }

  @Test
  @DisplayName("CLI-COPY a difference is told by id, and the exit code says so")
  void difference() {
    Path file = stocked();
    Path other = folder.resolve("other.db");
    assertThat(copy(file, other).exit()).isZero();
    try (Provider store = SqliteProvider.open(other)) {
      Client.of(store).raiseEvent("ask", Workplace.APPROVAL, "yes");
    }
    Shell.Ran text = copy(file, other);
    assertThat(text.exit()).isEqualTo(1);
    assertThat(text.out()).contains("messages differ", "1 instance differs");
    Shell.Ran json = copy(file, other, "--json");
    assertThat(json.exit()).isEqualTo(1);
    assertThat(json.json().get("differences").get(0).get("instance").asString()).isEqualTo("ask");
    assertThat(json.json().get("already_there").asInt()).isEqualTo(2);
  }

  @Test
  @DisplayName("CLI-COPY a store that a node works on is refused, unless forced")
  void inUse() {
    Path other = folder.resolve("other.db");
    try (Workplace work = new Workplace(folder)) {
      work.begun(Workplace.NAP, "nap", "");
      Shell.Ran refused = copy(work.file, other);
      assertThat(refused.exit()).isEqualTo(4);
      assertThat(refused.err()).hasLineCount(1).contains("nodes work on the source");
      assertThat(copy(work.file, other, "--force").exit()).isZero();
    }
    assertThat(Shell.script().on(other, "show", "nap").exit()).isZero();
  }

  @Test
  @DisplayName("CLI-COPY a source that is missing is not made, and must not be the target")
  void missing() {
    Path nowhere = folder.resolve("nowhere.db");
    assertThat(copy(nowhere, folder.resolve("other.db")).exit()).isEqualTo(3);
    assertThat(Files.exists(nowhere)).isFalse();
    assertThat(Files.exists(folder.resolve("other.db"))).isFalse();
    assertThat(copy("x.db", "x.db").exit()).isEqualTo(2);
    assertThat(Shell.script().run("copy", "x.db").exit()).isEqualTo(2);
  }
}
