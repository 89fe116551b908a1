package io.duroxide.codec;

import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Retention;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Any value of a record or sealed type, built from its declaration, with the texts that hurt. */
final class RandomRecords {
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "null",
          "unknown",
          "\0",
          "\r\n",
          "\t\b\f\u001f\u007f",
          "\"quoted\" \\ back/slash",
          "\\u0041",
          "{\"type\":\"TimerFired\"}",
          "\u2028\u2029",
          "\ufeff\ufffe\uffff",
          "😀👩‍👩‍👧",
          "مرحبا שלום",
          "e\u0301",
          "\ud800",
          "\udc00",
          "\udc00\ud800",
          "\ud83d\ud83d\ude00",
          "tail \ud83d");
  private static final long[] NUMBERS = {0, 1, -1, 99_999, Long.MAX_VALUE, Long.MIN_VALUE};

  private final Random random;

  RandomRecords(long seed) {
    random = new Random(seed);
  }

  <T> T any(Class<T> type) {
    return type.cast(value(type, type));
  }

  private Object value(Class<?> type, java.lang.reflect.Type generic) {
    if (type.isSealed()) {
      return value(pick(type.getPermittedSubclasses()), generic);
    }
    if (type.isEnum()) {
      return pick(type.getEnumConstants());
    }
    if (type == Retention.class) {
      return retention();
    }
    if (type == AutoPrunePolicy.class) {
      return new AutoPrunePolicy(retention(), count() + 1, count());
    }
    if (type.isRecord()) {
      return instance(type);
    }
    return switch (type.getName()) {
      case "java.lang.String" -> text();
      case "boolean" -> random.nextBoolean();
      case "int", "java.lang.Integer" -> (int) number();
      case "long", "java.lang.Long" -> number();
      case "java.time.Instant" -> Instant.ofEpochMilli(number());
      case "java.util.List" -> list((ParameterizedType) generic);
      default -> throw new AssertionError("no random " + type);
    };
  }

  private Object instance(Class<?> type) {
    RecordComponent[] parts = type.getRecordComponents();
    var types = Stream.of(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = Stream.of(parts).map(this::component).toArray();
    try {
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot make " + type, e);
    }
  }

  private @Nullable Object component(RecordComponent part) {
    boolean optional = part.getAnnotatedType().isAnnotationPresent(Nullable.class);
    return optional && random.nextBoolean() ? null : value(part.getType(), part.getGenericType());
  }

  private List<?> list(ParameterizedType generic) {
    var element = (Class<?>) generic.getActualTypeArguments()[0];
    return IntStream.range(0, random.nextInt(4)).mapToObj(i -> value(element, element)).toList();
  }

  /** Not everything can be kept. */
  private Retention retention() {
    Duration age = Duration.ofMillis(number() & Long.MAX_VALUE);
    return switch (random.nextInt(3)) {
      case 0 -> Retention.keepLast(count() + 1);
      case 1 -> Retention.maxAge(age);
      default -> Retention.keepLast(count() + 1).andMaxAge(age);
    };
  }

  private int count() {
    return random.nextBoolean() ? random.nextInt(3) : random.nextInt(Integer.MAX_VALUE);
  }

  private long number() {
    return random.nextBoolean() ? NUMBERS[random.nextInt(NUMBERS.length)] : random.nextLong();
  }

  private String text() {
    return switch (random.nextInt(4)) {
      case 0 -> pick(NASTY.toArray(String[]::new));
      case 1 -> pick(NASTY.toArray(String[]::new)) + text();
      case 2 -> noise(0x180);
      default -> noise(0x1_0000);
    };
  }

  /** UTF-16 units, not characters: half of the wide ones do not pair up. */
  private String noise(int bound) {
    var text = new StringBuilder();
    random.ints(random.nextInt(40), 0, bound).forEach(unit -> text.append((char) unit));
    return text.toString();
  }

  private <T> T pick(T[] choices) {
    return choices[random.nextInt(choices.length)];
  }
}
