package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Fire and forget: a sign-up starts the welcome tour and does not wait for it. */
public final class Detached {
  static final Activity<String, String> CREATE_ACCOUNT =
      Activity.of("CreateAccount", String.class, String.class);
  static final Activity<String, String> SEND_MAIL =
      Activity.of("SendMail", String.class, String.class);
  static final Orchestration<String, String> SIGN_UP =
      Orchestration.of("SignUp", String.class, String.class);
  static final Orchestration<String, String> WELCOME_TOUR =
      Orchestration.of("WelcomeTour", String.class, String.class);

  private Detached() {}

  static String signUp(OrchestrationContext ctx, String user) {
    String account = ctx.call(CREATE_ACCOUNT, user).await();
    ctx.startDetached(WELCOME_TOUR, "welcome-" + user, user);
    return account;
  }

  static String welcomeTour(OrchestrationContext ctx, String user) {
    ctx.call(SEND_MAIL, "first steps").await();
    ctx.timer(Duration.ofMillis(100)).await();
    return ctx.call(SEND_MAIL, "ten things to try, " + user).await();
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(CREATE_ACCOUNT, (ctx, user) -> "account of " + user)
        .activity(SEND_MAIL, (ctx, subject) -> "sent: " + subject)
        .orchestration(SIGN_UP, Detached::signUp)
        .orchestration(WELCOME_TOUR, Detached::welcomeTour);
  }

  static List<String> run(Client client) {
    client.start(SIGN_UP, "sign-up-ada", "ada");
    return List.of(
        client.waitFor(SIGN_UP, "sign-up-ada", Duration.ofMinutes(1)),
        client.waitFor(WELCOME_TOUR, "welcome-ada", Duration.ofMinutes(1)));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("detached.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      run(Client.of(store)).forEach(System.out::println);
    }
  }
}
