package io.duroxide.proof.program;

/** Names that the code of a program and its model give alike. */
final class Labels {
  static final String CHOICE = "choice.";
  static final String UNDO = "undo.";
  static final String READ = "read.";

  private final String path;
  private int count;

  Labels(String path) {
    this.path = path;
  }

  /** A name that the execution has not given yet. */
  String next() {
    count++;
    return path + "." + count;
  }

  /** The id of a named child or of what an instance started. */
  static String instance(String parent, String name) {
    return parent + "." + name;
  }

  static String gate(int position, int event) {
    return "gate-" + position + "-" + event;
  }

  static String signal(String label) {
    return "signal-" + label;
  }
}
