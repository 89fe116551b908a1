package io.duroxide.replay;

import static io.duroxide.replay.Verdicts.completed;
import static io.duroxide.replay.Verdicts.nothingAsked;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.OrchestrationContext;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Missing arguments")
class MissingArgumentsTest {
  private static final ChildOptions CHILD = ChildOptions.instanceId("ship-7");

  private static Arguments call(String missing, Consumer<OrchestrationContext> call) {
    return arguments(missing, call);
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        call("name", ctx -> ctx.callActivity(null, "1")),
        call("input", ctx -> ctx.callActivity("Charge", null)),
        call("options", ctx -> ctx.callActivity("Charge", "1", (ActivityOptions) null)),
        call("name", ctx -> ctx.callOrchestration(null, "1", CHILD)),
        call("input", ctx -> ctx.callOrchestration("Ship", null, CHILD)),
        call("options", ctx -> ctx.callOrchestration("Ship", "1", null)),
        call("name", ctx -> ctx.startDetached((String) null, "1", CHILD)),
        call("input", ctx -> ctx.startDetached("Ship", (String) null, CHILD)),
        call("options", ctx -> ctx.startDetached("Ship", "1", (ChildOptions) null)),
        call("instanceId", ctx -> ctx.readKv(null, "total")),
        call("key", ctx -> ctx.readKv("ship-7", null)),
        call("delay", ctx -> ctx.timer(null)),
        call("name", ctx -> ctx.waitForEvent(null)),
        call("queue", ctx -> ctx.dequeueEvent(null)),
        call("branch", ctx -> ctx.async(null)),
        call("status", ctx -> ctx.setCustomStatus(null)),
        call("retention", ctx -> ctx.pruneHistory(null)),
        call("options", ctx -> ctx.continueAsNew("2", (ContinueOptions) null)),
        call("future", ctx -> ctx.cancellationScope().own(null)),
        call("key", ctx -> ctx.kv().putText(null, "1")),
        call("text", ctx -> ctx.kv().putText("total", null)),
        call("key", ctx -> ctx.kv().clear(null)));
  }

  @ParameterizedTest(name = "{index}: {0}")
  @MethodSource("calls")
  @DisplayName("the call that lacks an argument says which, and asks for nothing")
  void refused(String missing, Consumer<OrchestrationContext> call) {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          try {
            call.accept(ctx);
            return "accepted";
          } catch (NullPointerException e) {
            return String.valueOf(e.getMessage());
          }
        });
    assertThat(result.outcome()).isEqualTo(completed(missing));
    nothingAsked(result);
  }
}
