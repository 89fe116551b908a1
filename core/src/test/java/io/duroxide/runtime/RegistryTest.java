package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.model.Semver;
import io.duroxide.model.SystemActivities;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegistryTest {
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);
  private static final Orchestration<Integer, Integer> COUNT =
      Orchestration.of("Count", Integer.class, Integer.class);
  private static final Activity<String, String> PACK =
      Activity.of("Pack", String.class, String.class);
  private static final Activity<String, String> SHIP =
      Activity.of("Ship", String.class, String.class);

  private static OrchestrationRegistry.Builder orders(String... versions) {
    OrchestrationRegistry.Builder builder = OrchestrationRegistry.builder();
    for (String version : versions) {
      builder.register(ORDER, version, (ctx, in) -> version);
    }
    return builder;
  }

  private static Optional<String> resolved(
      OrchestrationRegistry registry, String name, @Nullable String version) {
    return registry.resolve(name, version).map(found -> found.version().toString());
  }

  @Test
  @DisplayName("E2E-227 OR-085 without a version 1.0.0 is registered")
  void defaultVersion() {
    OrchestrationRegistry registry =
        OrchestrationRegistry.builder().register(ORDER, (ctx, in) -> in).build();

    assertThat(registry.versions("Order")).containsExactly(Semver.of(1, 0, 0));
    assertThat(resolved(registry, "Order", null)).contains("1.0.0");
  }

  @Test
  @DisplayName(
      "E2E-227 OR-085 versions are listed in ascending order and the highest is the latest")
  void ordering() {
    OrchestrationRegistry registry = orders("1.2.0", "1.10.0", "2.0.0-beta", "2.0.0").build();

    assertThat(registry.versions("Order"))
        .extracting(Semver::toString)
        .containsExactly("1.2.0", "1.10.0", "2.0.0-beta", "2.0.0");
    assertThat(resolved(registry, "Order", null)).contains("2.0.0");
    assertThat(resolved(registry, "Order", "1.10.0")).contains("1.10.0");
  }

  @Test
  @DisplayName(
      "E2E-227 OR-085 an exact policy decides, and finds nothing if its version is missing")
  void exactPolicy() {
    OrchestrationRegistry registry = orders("1.0.0", "2.0.0").build();

    registry.setPolicy("Order", VersionPolicy.exact("1.0.0"));
    assertThat(resolved(registry, "Order", null)).contains("1.0.0");
    assertThat(resolved(registry, "Order", "2.0.0")).contains("2.0.0");

    registry.setPolicy("Order", VersionPolicy.exact("3.0.0"));
    assertThat(resolved(registry, "Order", null)).isEmpty();

    registry.setPolicy("Order", VersionPolicy.LATEST);
    assertThat(resolved(registry, "Order", null)).contains("2.0.0");
  }

  @Test
  @DisplayName("OR-085 an unknown name or version finds nothing")
  void missing() {
    OrchestrationRegistry registry = orders("1.0.0").build();

    assertThat(resolved(registry, "Other", null)).isEmpty();
    assertThat(resolved(registry, "Order", "1.0.1")).isEmpty();
    assertThat(resolved(registry, "Order", "no version")).isEmpty();
    assertThat(registry.versions("Other")).isEmpty();
    assertThat(registry.has("Other")).isFalse();
    assertThat(ActivityRegistry.builder().build().resolve("Other")).isEmpty();
  }

  @Test
  @DisplayName("E2E-228 OR-085 a duplicate is refused with name and version")
  void duplicates() {
    assertThatThrownBy(() ->
            OrchestrationRegistry.builder()
                .register(ORDER, (ctx, in) -> in)
                .register(ORDER, (ctx, in) -> in)
                .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order@1.0.0");
    assertThatThrownBy(() -> orders("2.1.0", "2.1.0").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order@2.1.0");
    assertThatThrownBy(() ->
            ActivityRegistry.builder()
                .register(PACK, (ctx, in) -> in)
                .register(PACK, (ctx, in) -> in)
                .build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Pack");
  }

  @Test
  @DisplayName("E2E-229 OR-085 a version below the highest, or that is none, is refused")
  void notMonotonic() {
    assertThatThrownBy(() -> orders("2.0.0", "1.5.0").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.5.0")
        .hasMessageContaining("Order")
        .hasMessageContaining("2.0.0");
    assertThatThrownBy(() -> orders("two").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'two'");
  }

  @Test
  @DisplayName("E2E-230 OR-085 merging and extending add, and leave the base as it was")
  void mergeAndExtendOrchestrations() {
    OrchestrationRegistry base = orders("1.0.0").build();
    OrchestrationRegistry other =
        OrchestrationRegistry.builder().register(COUNT, (ctx, in) -> in).build();

    OrchestrationRegistry merged = OrchestrationRegistry.builder().merge(base).merge(other).build();
    OrchestrationRegistry extended =
        base.extend().register(ORDER, "2.0.0", (ctx, in) -> in).merge(other).build();

    assertThat(merged.names()).containsExactlyInAnyOrder("Order", "Count");
    assertThat(extended.names()).containsExactlyInAnyOrder("Order", "Count");
    assertThat(resolved(extended, "Order", null)).contains("2.0.0");
    assertThat(base.names()).containsExactly("Order");
    assertThat(base.versions("Order")).containsExactly(Semver.of(1, 0, 0));
    assertThatThrownBy(() -> base.extend().merge(base).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order@1.0.0");
  }

  @Test
  @DisplayName("E2E-230 OR-085 activities too; a duplicate in a merge is refused")
  void mergeAndExtendActivities() {
    ActivityRegistry base = ActivityRegistry.builder().register(PACK, (ctx, in) -> in).build();
    ActivityRegistry other = ActivityRegistry.builder().register(SHIP, (ctx, in) -> in).build();

    ActivityRegistry merged = ActivityRegistry.builder().merge(base).merge(other).build();
    ActivityRegistry extended = base.extend().register(SHIP, (ctx, in) -> in).build();

    assertThat(merged.names()).contains("Pack", "Ship");
    assertThat(extended.names()).contains("Pack", "Ship");
    assertThat(base.has("Ship")).isFalse();
    assertThatThrownBy(() -> base.extend().merge(base).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Pack");
  }

  @Test
  @DisplayName("E2E-230 two merges with different policies for a name are refused")
  void conflictingPolicies() {
    OrchestrationRegistry one =
        OrchestrationRegistry.builder().policy("Order", VersionPolicy.exact("1.0.0")).build();
    OrchestrationRegistry two =
        OrchestrationRegistry.builder().policy("Order", VersionPolicy.exact("2.0.0")).build();

    assertThatThrownBy(() -> OrchestrationRegistry.builder().merge(one).merge(two).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order");
  }

  @Test
  @DisplayName("E2E-235 a policy set later in a merged registry counts, one set here before it")
  void policyOfMergedRegistry() {
    OrchestrationRegistry base = orders("1.0.0", "2.0.0", "3.0.0").build();
    OrchestrationRegistry merged =
        OrchestrationRegistry.builder().merge(base).build().extend().build();

    base.setPolicy("Order", VersionPolicy.exact("1.0.0"));
    assertThat(resolved(merged, "Order", null)).contains("1.0.0");

    merged.setPolicy("Order", VersionPolicy.exact("2.0.0"));
    assertThat(resolved(merged, "Order", null)).contains("2.0.0");
    assertThat(resolved(base, "Order", null)).contains("1.0.0");
  }

  @Test
  @DisplayName("E2E-231 names, presence and count of filled, merged and empty registries")
  void looking() {
    OrchestrationRegistry empty = OrchestrationRegistry.builder().build();
    OrchestrationRegistry filled =
        orders("1.0.0", "2.0.0").register(COUNT, (ctx, in) -> in).build();
    OrchestrationRegistry merged = OrchestrationRegistry.builder().merge(filled).build();
    ActivityRegistry activities =
        ActivityRegistry.builder()
            .register(PACK, (ctx, in) -> in)
            .register(SHIP, (ctx, in) -> in)
            .build();

    assertThat(empty.names()).isEmpty();
    assertThat(empty.count()).isZero();
    assertThat(empty.has("Order")).isFalse();
    assertThat(filled.count()).isEqualTo(2);
    assertThat(filled.has("Order")).isTrue();
    assertThat(merged.names()).isEqualTo(filled.names());
    assertThat(merged.versions("Order")).isEqualTo(filled.versions("Order"));
    assertThat(activities.count()).isEqualTo(2);
    assertThat(activities.has("Pack")).isTrue();
    assertThat(ActivityRegistry.builder().merge(activities).build().names())
        .isEqualTo(activities.names());
  }

  @Test
  @DisplayName("E2E-232 OR-085 the reserved prefix is refused and named, so no builtin is replaced")
  void reservedPrefix() {
    for (String name : new String[] {SystemActivities.PREFIX + "mine", SystemActivities.UTC_NOW}) {
      assertThatThrownBy(() ->
              ActivityRegistry.builder()
                  .register(Activity.of(name, String.class, String.class), (ctx, in) -> in)
                  .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(SystemActivities.PREFIX)
          .hasMessageContaining(name);
    }
  }

  @Test
  @DisplayName("E2E-233 OR-085 an empty registry has the framework's activities, uncounted")
  void builtins() {
    ActivityRegistry empty = ActivityRegistry.builder().build();

    assertThat(empty.names())
        .containsExactlyInAnyOrder(
            SystemActivities.NEW_GUID, SystemActivities.UTC_NOW, SystemActivities.GET_KV_VALUE);
    assertThat(empty.count()).isZero();
  }

  @Test
  @DisplayName("E2E-234 a typed handler is found under its version alone")
  void typedVersion() {
    OrchestrationRegistry registry =
        OrchestrationRegistry.builder().register(COUNT, "2.0.0", (ctx, in) -> in + 1).build();

    assertThat(registry.versions("Count")).containsExactly(Semver.of(2, 0, 0));
    assertThat(resolved(registry, "Count", "2.0.0")).contains("2.0.0");
    assertThat(resolved(registry, "Count", "1.0.0")).isEmpty();
  }

  @Test
  @DisplayName(
      "E2E-235 OR-085 registries built from one another share policies; each name has its own")
  void sharedPolicies() {
    OrchestrationRegistry base =
        orders("1.0.0", "2.0.0")
            .register(COUNT, (ctx, in) -> in)
            .register(COUNT, "3.0.0", (ctx, in) -> in)
            .build();
    OrchestrationRegistry copy = base.extend().build();

    copy.setPolicy("Order", VersionPolicy.exact("1.0.0"));
    base.setPolicy("Count", VersionPolicy.exact("1.0.0"));

    assertThat(resolved(base, "Order", null)).contains("1.0.0");
    assertThat(resolved(copy, "Count", null)).contains("1.0.0");
    assertThat(base.policy("Order")).isEqualTo(VersionPolicy.exact("1.0.0"));
    assertThat(base.policy("Other")).isEqualTo(VersionPolicy.LATEST);
  }
}
