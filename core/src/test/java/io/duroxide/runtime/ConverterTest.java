package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Everything on a node uses the converter of the node, whatever the order of registrations. */
@DisplayName("Converter of a node")
class ConverterTest {
  private static final Orchestration<Integer, Integer> ORDER =
      Orchestration.of("Order", Integer.class, Integer.class);
  private static final Activity<Integer, Integer> CHARGE =
      Activity.of("Charge", Integer.class, Integer.class);
  private static final ExternalEvent<Integer> PAID = ExternalEvent.of("paid", Integer.class);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final MemoryProvider store = MemoryProvider.create();
  private @Nullable DuroxideRuntime node;

  /** JSON in brackets, so that a payload of another converter is found out. */
  private static final class Bracketed implements DataConverter {
    @Override
    public String encode(Object value) {
      return "[" + DataConverter.json().encode(value) + "]";
    }

    @Override
    public <T> T decode(String text, TypeRef<T> type) {
      if (!text.startsWith("[")) {
        throw new DataConversionException("not in brackets: " + text, null);
      }
      return DataConverter.json().decode(text.substring(1, text.length() - 1), type);
    }

    @Override
    public String encodeJson(Object value) {
      return encode(value);
    }

    @Override
    public <T> T decodeJson(String text, TypeRef<T> type) {
      return decode(text, type);
    }
  }

  @AfterEach
  void close() {
    if (node != null) {
      node.close();
    }
    store.close();
  }

  private int order(DuroxideRuntime.Builder builder, DataConverter ofClient) {
    RuntimeOptions options = RuntimeOptions.builder().converter(new Bracketed()).build();
    node = builder.options(options).start();
    return Client.of(store).withConverter(ofClient).run(ORDER, "order-7", 7, PATIENCE);
  }

  @Test
  @DisplayName("options that come after the registrations are those of the handlers, too")
  void optionsLast() {
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(store)
            .orchestration(ORDER, (ctx, in) -> ctx.call(CHARGE, in).await() + 1)
            .activity(CHARGE, (ctx, in) -> in * 2);

    assertThat(order(builder, new Bracketed())).isEqualTo(15);
  }

  @Test
  @DisplayName("registries take the converter of the runtime that runs them")
  void registries() {
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(store)
            .orchestrations(
                OrchestrationRegistry.builder()
                    .register(ORDER, (ctx, in) -> ctx.call(CHARGE, in).await() + 1)
                    .build())
            .activities(ActivityRegistry.builder().register(CHARGE, (ctx, in) -> in * 2).build());

    assertThat(order(builder, new Bracketed())).isEqualTo(15);
  }

  @Test
  @DisplayName("a converter that a registry fixed stays")
  void fixed() {
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(store)
            .orchestrations(
                OrchestrationRegistry.builder()
                    .converter(DataConverter.json())
                    .register(ORDER, (ctx, in) -> in + 1)
                    .build());

    assertThat(order(builder, DataConverter.json())).isEqualTo(8);
  }

  @Test
  @DisplayName("the client of an activity writes as the node reads")
  void clientOfActivity() {
    DuroxideRuntime.Builder builder =
        DuroxideRuntime.builder(store)
            .orchestration(
                ORDER,
                (ctx, in) -> {
                  ctx.call(CHARGE, in);
                  return ctx.waitFor(PAID).await();
                })
            .activity(
                CHARGE,
                (ctx, in) -> {
                  Client.of(ctx).raiseEvent(ctx.key().instance(), PAID, in * 3);
                  return in;
                });

    assertThat(order(builder, new Bracketed())).isEqualTo(21);
  }
}
