package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceTransfer;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.opentest4j.TestAbortedException;

/** Two stores of the same kind, and steps from one to the other. */
abstract class TransferSteps extends SessionSteps {
  private static final int PAGE = 2;
  static final int ALL = 1_000;

  ProviderFixture targetFixture;
  Provider source;
  Provider target;

  @BeforeEach
  final void openTarget() {
    source = provider;
    targetFixture = newFixture();
    target = targetFixture.createProvider();
  }

  @AfterEach
  final void closeTarget() {
    provider = source;
    target.close();
    targetFixture.close();
  }

  /** Optional: a provider that does not offer it is not asked further. */
  static InstanceTransfer of(Provider store) {
    try {
      return admin(store).transfer();
    } catch (ProviderException e) {
      throw new TestAbortedException("the provider offers no transfer", e);
    }
  }

  static List<String> ids(Provider store) {
    List<String> ids = new ArrayList<>();
    @Nullable String after = null;
    while (true) {
      List<String> page = of(store).listIds(after, PAGE);
      if (page.isEmpty()) {
        return ids;
      }
      assertThat(page).hasSizeLessThanOrEqualTo(PAGE);
      ids.addAll(page);
      after = page.getLast();
    }
  }

  static void copy(Provider from, Provider to) {
    for (String id : ids(from)) {
      assertThat(copy(from, to, id)).as("%s was written", id).isTrue();
    }
  }

  static boolean copy(Provider from, Provider to, String id) {
    InstanceSnapshot snapshot = present(of(from).readInstance(id));
    return of(to).writeInstance(snapshot, of(from)::readEvents);
  }

  /** Everything that is stored under an id. */
  static List<Object> stored(Provider store, String id) {
    InstanceSnapshot snapshot = present(of(store).readInstance(id)).renumbered();
    List<Object> all = new ArrayList<>(List.of(snapshot));
    snapshot.executions().forEach(row -> all.add(of(store).readEvents(snapshot.key(row), 0, ALL)));
    return all;
  }

  static void same(Provider one, Provider other) {
    assertThat(ids(other)).containsExactlyInAnyOrderElementsOf(ids(one));
    for (String id : ids(one)) {
      assertThat(stored(other, id)).isEqualTo(stored(one, id));
    }
  }

  /** Copies everything, and goes on with the copy. */
  final void move() {
    catchUp();
    copy(source, target);
    same(source, target);
    provider = target;
  }

  /** Both stores may have clocks of their own. */
  final void catchUp() {
    Duration behind = Duration.between(target.now(), source.now());
    if (behind.isPositive()) {
      targetFixture.advance(behind);
    }
  }

  static ProviderAdmin admin(Provider store) {
    return store.management().orElseThrow();
  }
}
