package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.SessionFetchConfig;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SessionsTest {
  private final Sessions sessions = limited(2);

  private static Sessions limited(int maxSessions) {
    return sessions(
        RuntimeOptions.builder()
            .sessions(SessionOptions.DEFAULT.withMaxSessions(maxSessions))
            .workerNodeId("node"));
  }

  private static Sessions sessions(RuntimeOptions.Builder options) {
    return new Sessions(options.build(), "runtime", new Slots(1), Node.unheard());
  }

  private SessionFetchConfig claims(int maxNewSessions) {
    return new SessionFetchConfig("node", SessionOptions.DEFAULT.lockTimeout(), maxNewSessions);
  }

  @Test
  @DisplayName("E2E-521 nothing in flight leaves all the room")
  void empty() {
    assertThat(sessions.distinct()).isZero();
    assertThat(sessions.fetchConfig()).isEqualTo(claims(2));
  }

  @Test
  @DisplayName("E2E-521 a session counts once, however many of its activities are in flight")
  void sameSession() {
    assertThat(sessions.register("a")).isTrue();
    assertThat(sessions.register("a")).isTrue();

    assertThat(sessions.distinct()).isEqualTo(1);
    assertThat(sessions.fetchConfig()).isEqualTo(claims(1));
  }

  @Test
  @DisplayName("E2E-521 different sessions count each; a partial release keeps the session")
  void partialRelease() {
    sessions.register("a");
    sessions.register("a");
    sessions.register("b");
    assertThat(sessions.distinct()).isEqualTo(2);

    sessions.unregister("a");
    assertThat(sessions.distinct()).isEqualTo(2);
    sessions.unregister("a");
    sessions.unregister("b");
    assertThat(sessions.distinct()).isZero();
  }

  @Test
  @DisplayName("E2E-521 at the limit only sessions in flight are admitted")
  void limit() {
    sessions.register("a");
    sessions.register("b");

    assertThat(sessions.register("c")).isFalse();
    assertThat(sessions.register("a")).isTrue();
    assertThat(sessions.distinct()).isEqualTo(2);
    assertThat(sessions.fetchConfig()).isEqualTo(claims(0));
    sessions.unregister("b");
    assertThat(sessions.register("c")).isTrue();
  }

  @Test
  @DisplayName("E2E-521 E2E-522 a limit of 0 asks for no sessions at all")
  void none() {
    assertThat(limited(0).fetchConfig()).isNull();
    assertThat(limited(0).register("a")).isFalse();
  }

  @Test
  @DisplayName("E2E-521 an activity that ends after it was counted out leaves nothing behind")
  void endsLate() throws InterruptedException {
    Sessions ephemeral = sessions(RuntimeOptions.builder());
    ephemeral.register("a");
    Sessions.Turn turn = ephemeral.enter("a");
    ephemeral.unregister("a");
    turn.end();

    assertThat(ephemeral.distinct()).isZero();
    ephemeral.enter("a").end();
    assertThat(ephemeral.distinct()).isZero();
    assertThat(ephemeral.ownerId()).isEqualTo("runtime");
  }
}
