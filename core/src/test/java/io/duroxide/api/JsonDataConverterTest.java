package io.duroxide.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDataConverterTest {
  private static final DataConverter JSON = DataConverter.json();

  record Item(String sku, int count) {}

  record Order(String id, List<Item> items, Optional<String> note) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Shape.Circle.class, name = "circle"),
    @JsonSubTypes.Type(value = Shape.Square.class, name = "square")
  })
  sealed interface Shape {
    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}
  }

  static final class Broken {
    public int getValue() {
      return Integer.parseInt("no value");
    }
  }

  @Test
  @DisplayName("records are JSON in the order of their components, and come back equal")
  void records() {
    Order order = new Order("o", List.of(new Item("s", 2)), Optional.empty());
    String text = JSON.encode(order);

    assertThat(text)
        .isEqualTo("{\"id\":\"o\",\"items\":[{\"sku\":\"s\",\"count\":2}],\"note\":null}");
    assertThat(JSON.decode(text, TypeRef.of(Order.class))).isEqualTo(order);
  }

  @Test
  @DisplayName("sealed types keep which one they are")
  void sealedTypes() {
    List<Shape> shapes = List.of(new Shape.Circle(1), new Shape.Square(2));
    TypeRef<List<Shape>> type = new TypeRef<>() {};

    for (Shape shape : shapes) {
      assertThat(JSON.decode(JSON.encode(shape), TypeRef.of(Shape.class))).isEqualTo(shape);
    }
    assertThat(type.toString()).contains("List");
  }

  @Test
  @DisplayName("generics survive through TypeRef")
  void generics() {
    Map<String, List<Item>> value = Map.of("a", List.of(new Item("s", 1)));

    assertThat(JSON.decode(JSON.encode(value), new TypeRef<Map<String, List<Item>>>() {}))
        .isEqualTo(value);
    assertThat(JSON.decode("[1,2]", new TypeRef<List<Long>>() {})).containsExactly(1L, 2L);
  }

  static List<Arguments> bare() {
    return List.of(
        Arguments.of(DayOfWeek.FRIDAY, "FRIDAY"),
        Arguments.of(LocalDate.of(2026, 3, 1), "2026-03-01"),
        Arguments.of(Instant.parse("2026-03-01T12:00:00Z"), "2026-03-01T12:00:00Z"),
        Arguments.of(Duration.ofMinutes(5), "PT5M"),
        Arguments.of(new UUID(0, 7), "00000000-0000-0000-0000-000000000007"),
        Arguments.of(
            UUID.fromString("123e4567-e89b-12d3-a456-426614174000"),
            "123e4567-e89b-12d3-a456-426614174000"));
  }

  @ParameterizedTest(name = "{1} is stored bare and comes back")
  @MethodSource("bare")
  <T> void bareText(T value, String text) {
    @SuppressWarnings("unchecked")
    TypeRef<T> type = TypeRef.of((Class<T>) value.getClass());

    assertThat(JSON.encode(value)).isEqualTo(text);
    assertThat(JSON.decode(text, type)).isEqualTo(value);
    assertThat(JSON.decode("\"" + text + "\"", type)).as("quoted").isEqualTo(value);
  }

  @ParameterizedTest(name = "the string [{0}] is stored and read as it is")
  @ValueSource(strings = {"", "plain", "\"quoted\"", "{\"a\":1}", "12", "null", "ünï\n\t\u0000"})
  void strings(String text) {
    assertThat(JSON.encode(text)).isEqualTo(text);
    assertThat(JSON.decode(text, TypeRef.of(String.class))).isEqualTo(text);
    assertThat(JSON.decodeJson(JSON.encodeJson(text), TypeRef.of(String.class))).isEqualTo(text);
  }

  @Test
  @DisplayName("key-value text is plain JSON: strings keep their quotes")
  void plainJson() {
    assertThat(JSON.encodeJson("a")).isEqualTo("\"a\"");
    assertThat(JSON.encodeJson(DayOfWeek.FRIDAY)).isEqualTo("\"FRIDAY\"");
    assertThatThrownBy(() -> JSON.decodeJson("a", TypeRef.of(String.class)))
        .isInstanceOf(DataConversionException.class);
  }

  @Test
  @DisplayName("equal maps give equal text, whatever their order")
  void stableMaps() {
    Map<String, Object> forward = new LinkedHashMap<>();
    Map<String, Object> backward = new LinkedHashMap<>();
    for (int i = 0; i < 50; i++) {
      forward.put("k" + i, Map.of("b", 1, "a", 2));
      backward.put("k" + (49 - i), new HashMap<>(Map.of("a", 2, "b", 1)));
    }

    assertThat(JSON.encode(forward)).isEqualTo(JSON.encode(backward));
    assertThat(JSON.encode(forward)).startsWith("{\"k0\":{\"a\":2,\"b\":1},\"k1\":");
  }

  @Test
  @DisplayName("numbers and booleans are JSON")
  void scalars() {
    assertThat(JSON.encode(7)).isEqualTo("7");
    assertThat(JSON.encode(true)).isEqualTo("true");
    assertThat(JSON.decode("7", TypeRef.of(Integer.class))).isEqualTo(7);
    assertThat(JSON.decode(JSON.encode(new BigDecimal("1.10")), TypeRef.of(BigDecimal.class)))
        .isEqualTo(new BigDecimal("1.10"));
  }

  @Test
  @DisplayName(
      "unknown properties are ignored, so that a newer writer does not break an older reader")
  void unknownProperties() {
    assertThat(JSON.decode("{\"sku\":\"s\",\"count\":1,\"new\":true}", TypeRef.of(Item.class)))
        .isEqualTo(new Item("s", 1));
  }

  @ParameterizedTest(name = "[{0}] is no Item, and the error says so")
  @ValueSource(strings = {"many", "[1]", "{\"count\":\"x\"}", "{} {}"})
  void undecodable(String text) {
    assertThatThrownBy(() -> JSON.decode(text, TypeRef.of(Item.class)))
        .isInstanceOf(DataConversionException.class)
        .hasMessageStartingWith("decode failed: '" + text + "' is no")
        .hasMessageContaining("Item");
  }

  record Measured(double length, Duration time, List<Float> weights, Object rest) {}

  static List<Arguments> novalues() {
    return Stream.of("", " ", "\n\t ", "\"\"", "\" \"")
        .flatMap(text ->
            Stream.of(
                    Integer.class,
                    Long.class,
                    Double.class,
                    Boolean.class,
                    BigDecimal.class,
                    Duration.class,
                    Instant.class,
                    LocalDate.class,
                    UUID.class,
                    DayOfWeek.class,
                    Item.class)
                .map(type -> Arguments.of(text, type)))
        .toList();
  }

  @ParameterizedTest(name = "RL-067 [{0}] is no {1}, and not null either")
  @MethodSource("novalues")
  void noValue(String text, Class<?> type) {
    refused(() -> JSON.decode(text, TypeRef.of(type)), type);
    refused(() -> JSON.decodeJson(text, TypeRef.of(type)), type);
  }

  static List<Arguments> tooLarge() {
    return Stream.of("1e1000000000", "-1e1000000000", "1e400", "9".repeat(400) + ".5")
        .flatMap(text ->
            Stream.of(
                    Integer.class,
                    Long.class,
                    Double.class,
                    Float.class,
                    Number.class,
                    Object.class,
                    Duration.class,
                    Instant.class,
                    Item.class)
                .map(type -> Arguments.of(text, type)))
        .toList();
  }

  @ParameterizedTest(name = "RL-067 {0} fits no {1}, and infinity it is not")
  @MethodSource("tooLarge")
  void tooLarge(String text, Class<?> type) {
    refused(() -> JSON.decode(text, TypeRef.of(type)), type);
    refused(() -> JSON.decodeJson(text, TypeRef.of(type)), type);
  }

  @ParameterizedTest(name = "RL-067 a record with {0} is refused")
  @ValueSource(
      strings = {
        "{\"length\":1e1000000000}",
        "{\"length\":1,\"time\":1e400}",
        "{\"length\":1,\"weights\":[1e39]}",
        "{\"length\":1,\"rest\":[1,1e400]}"
      })
  void tooLargeInside(String text) {
    refused(() -> JSON.decode(text, TypeRef.of(Measured.class)), Measured.class);
    refused(() -> JSON.decodeJson(text, TypeRef.of(Measured.class)), Measured.class);
  }

  @Test
  @DisplayName("RL-067 numbers as strings are refused alike, and infinity that was meant is kept")
  void infinity() {
    refused(() -> JSON.decode("\"1e400\"", TypeRef.of(Double.class)), Double.class);
    refused(() -> JSON.decode("+1e400", TypeRef.of(Double.class)), Double.class);
    assertThatThrownBy(() -> JSON.decode("[1,1e400]", TypeRef.of(double[].class)))
        .isInstanceOf(DataConversionException.class)
        .hasMessageContaining("[D");

    for (Double value : List.of(Double.NEGATIVE_INFINITY, Double.MAX_VALUE, Double.NaN)) {
      assertThat(JSON.decode(JSON.encode(value), TypeRef.of(Double.class))).isEqualTo(value);
      assertThat(JSON.decodeJson(JSON.encodeJson(value), TypeRef.of(Double.class)))
          .isEqualTo(value);
    }
    BigDecimal large = new BigDecimal("1e200000");
    assertThat(JSON.decode(JSON.encode(large), TypeRef.of(BigDecimal.class))).isEqualTo(large);
  }

  @Test
  @DisplayName("RL-067 a JSON null is null, and an empty optional comes back")
  void jsonNull() {
    assertThat(JSON.decode(" null ", TypeRef.of(Integer.class))).isNull();
    assertThat(JSON.decodeJson("null", TypeRef.of(Item.class))).isNull();
    assertThat(JSON.decode("null", new TypeRef<Optional<Item>>() {})).isEmpty();
  }

  private static void refused(ThrowingCallable decoding, Class<?> type) {
    assertThatThrownBy(decoding)
        .isInstanceOf(DataConversionException.class)
        .hasMessageStartingWith("decode failed: '")
        .hasMessageContaining("is no " + type.getName());
  }

  @Test
  @DisplayName("a value that cannot be encoded is named by its class")
  void unencodable() {
    assertThatThrownBy(() -> JSON.encode(new Broken()))
        .isInstanceOf(DataConversionException.class)
        .hasMessageContaining(Broken.class.getName());
  }

  @Test
  @DisplayName("a long undecodable text is shortened in the error")
  void longText() {
    assertThatThrownBy(() -> JSON.decode("x".repeat(5000), TypeRef.of(Integer.class)))
        .isInstanceOf(DataConversionException.class)
        .message()
        .hasSizeLessThan(600);
  }

  @Test
  @DisplayName("a set without an order of its own gives the same text in every process")
  void unorderedSets() {
    assertThat(JSON.encode(Set.of("pear", "apple", "fig")))
        .isEqualTo("[\"apple\",\"fig\",\"pear\"]");
    assertThat(JSON.encode(new LinkedHashSet<>(List.of(3, 1, 2)))).isEqualTo("[3,1,2]");
  }

  @Test
  @DisplayName("a character that looks like a number stays a character")
  void characters() {
    assertThat(JSON.decode(JSON.encode('5'), TypeRef.of(Character.class))).isEqualTo('5');
  }
}
