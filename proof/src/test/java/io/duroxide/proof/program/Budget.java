package io.duroxide.proof.program;

/** How many operations may still be made, by all makers of one program. */
final class Budget {
  private int left;

  Budget(int size) {
    this.left = size;
  }

  int left() {
    return left;
  }

  void spend(int operations) {
    left -= operations;
  }
}
