package io.duroxide.api;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;

/**
 * A type that survives erasure: {@code new TypeRef<List<Order>>() {}}.
 *
 * @param <T> the type it stands for
 */
public abstract class TypeRef<T> {
  private final Type type;

  /** Captures the type argument of the subclass. */
  protected TypeRef() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType parameterized)) {
      throw new IllegalStateException("write new TypeRef<YourType>() {} with a type argument");
    }
    this.type = parameterized.getActualTypeArguments()[0];
  }

  private TypeRef(Type type) {
    this.type = Objects.requireNonNull(type, "type");
  }

  /** A plain class. */
  public static <T> TypeRef<T> of(Class<T> type) {
    return new Plain<>(type);
  }

  public final Type type() {
    return type;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof TypeRef<?> that && type.equals(that.type);
  }

  @Override
  public final int hashCode() {
    return type.hashCode();
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }

  private static final class Plain<T> extends TypeRef<T> {
    Plain(Class<T> type) {
      super(type);
    }
  }
}
