package io.duroxide.examples;

/** The first program: says hello. */
public final class Hello {
  private Hello() {}

  public static void main(String[] args) {
    System.out.println("Hello from Java " + Runtime.version().feature());
  }
}
