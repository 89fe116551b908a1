package io.duroxide.provider.tck;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/** The fixture that the system property {@link #PROPERTY} names. */
final class NamedFixture {
  static final String PROPERTY = "duroxide.tck.fixture";

  private NamedFixture() {}

  /** A new fixture of the named class. */
  static ProviderFixture create() {
    String name = System.getProperty(PROPERTY, "");
    try {
      return constructor(name).newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(name + " could not be created", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(advice(name), e);
    }
  }

  /** How to create a fixture of the named class, if that is possible. */
  static Constructor<? extends ProviderFixture> constructor(String name)
      throws ReflectiveOperationException {
    try {
      return Class.forName(name).asSubclass(ProviderFixture.class).getConstructor();
    } catch (ClassCastException e) {
      throw new ClassNotFoundException(advice(name), e);
    }
  }

  static String advice(String name) {
    return "'"
        + name
        + "' must name a public class on the class path that implements ProviderFixture and has a"
        + " public constructor without parameters";
  }
}
