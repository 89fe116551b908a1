package io.duroxide.e2e;

import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepth;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A test in a world of its own, once for each store and mode. */
@ParameterizedClass(name = "{0} {1}")
@MethodSource("io.duroxide.e2e.EachStoreScenario#storesAndModes")
abstract class EachStoreScenario {
  @Parameter(0)
  String store;

  @Parameter(1)
  Mode mode;

  World world;

  static List<Arguments> storesAndModes() {
    return Stream.of("memory", "sqlite", "postgres")
        .flatMap(name -> Mode.chosen().stream().map(mode -> Arguments.of(name, mode)))
        .toList();
  }

  @BeforeEach
  void open() {
    world =
        switch (store) {
          case "memory" -> World.memory(mode);
          case "sqlite" -> World.sqlite(mode);
          default -> World.postgres(mode);
        };
  }

  @AfterEach
  void close() {
    world.close();
  }

  ProviderAdmin admin() {
    return world.store().management().orElseThrow();
  }

  /** How many messages wait in the orchestrator queue of the whole store. */
  QueueDepth messages() {
    return admin().queueDepths().orchestrator();
  }
}
