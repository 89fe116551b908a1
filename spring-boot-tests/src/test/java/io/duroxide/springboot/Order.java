package io.duroxide.springboot;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/** What a customer wants. */
record Order(
    Customer customer,
    List<Line> lines,
    Instant placedAt,
    LocalDate wanted,
    Optional<String> note) {

  /** How well a customer is known. */
  enum Level {
    NEW,
    REGULAR
  }

  record Customer(String name, Level level) {}

  record Line(String article, int count, BigDecimal price) {}

  /** What an order costs, and for how long that is so. */
  record Offer(BigDecimal total, Duration valid, Optional<Line> gift) {}

  record Payment(BigDecimal amount, Instant paidAt) {}

  record Receipt(Order order, Offer offer, Payment payment) {}
}
