package io.duroxide.examples;

/** Runs programs one after the other, with a headline before the output of each. */
final class AllPrograms {
  static final String HEADLINE = "== ";

  private AllPrograms() {}

  /** Runs the named programs. */
  public static void main(String[] names) throws ReflectiveOperationException {
    for (String name : names) {
      System.out.println(HEADLINE + name);
      Class.forName(AllPrograms.class.getPackageName() + "." + name)
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    }
  }
}
