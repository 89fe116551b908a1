package io.duroxide.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.provider.DeliveryOrder.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Order of delivery")
class DeliveryOrderTest {
  private static Place message(long time, long position) {
    return new Place(time, false, position);
  }

  private static Place timer(long time, long position) {
    return new Place(time, true, position);
  }

  /** The rule as it is written: each timer is put before the first message that came later. */
  private static List<Place> byTheRule(List<Place> visible) {
    List<Place> messages =
        visible.stream()
            .filter(place -> !place.isTimer())
            .sorted(Comparator.comparingLong(Place::position))
            .toList();
    List<Place> left =
        new ArrayList<>(
            visible.stream()
                .filter(Place::isTimer)
                .sorted(Comparator.comparingLong(Place::time).thenComparingLong(Place::position))
                .toList());
    List<Place> order = new ArrayList<>();
    long arrived = Long.MIN_VALUE;
    for (Place message : messages) {
      arrived = Math.max(arrived, message.time());
      while (!left.isEmpty() && left.getFirst().time() < arrived) {
        order.add(left.removeFirst());
      }
      order.add(message);
    }
    order.addAll(left);
    return order;
  }

  @ParameterizedTest(name = "EN-016 1,000 timers and 1,000 messages, seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void many(long seed) {
    Random random = new Random(seed);
    List<Place> visible = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      visible.add(timer(random.nextInt(500), 2L * i));
      visible.add(message(random.nextInt(500), 2 * i + 1));
    }
    Collections.shuffle(visible, random);
    AtomicInteger looks = new AtomicInteger();

    List<Place> order =
        DeliveryOrder.of(
            visible,
            place -> {
              looks.incrementAndGet();
              return place;
            });

    assertThat(order).isEqualTo(byTheRule(visible));
    assertThat(looks).hasValue(2000);
  }

  @Test
  @DisplayName("EN-006 at equal times the message stands first")
  void equalTimes() {
    assertThat(DeliveryOrder.of(List.of(timer(5, 1), message(5, 2)), place -> place))
        .containsExactly(message(5, 2), timer(5, 1));
  }

  @Test
  @DisplayName("EN-009 a message that seems to come before its predecessor counts with it")
  void clockSetBack() {
    assertThat(DeliveryOrder.of(List.of(message(9, 1), timer(7, 2), message(3, 3)), place -> place))
        .containsExactly(timer(7, 2), message(9, 1), message(3, 3));
  }
}
