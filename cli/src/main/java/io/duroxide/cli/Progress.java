package io.duroxide.cli;

/** A bar on the error output while many things are done; silent where nobody watches. */
final class Progress implements AutoCloseable {
  private static final int WIDTH = 30;

  private final Terminal terminal;
  private final boolean shown;
  private final String what;
  private final long total;
  private long done;

  Progress(Desk desk, String what, long total) {
    this.terminal = desk.terminal();
    this.shown = terminal.interactive() && !desk.json() && total > 1;
    this.what = what;
    this.total = total;
    draw();
  }

  void add(long more) {
    done = Math.min(total, done + more);
    draw();
  }

  private void draw() {
    if (!shown) {
      return;
    }
    int filled = (int) (WIDTH * done / total);
    terminal
        .err()
        .print(
            "\r%s [%s%s] %,d/%,d"
                .formatted(what, "#".repeat(filled), ".".repeat(WIDTH - filled), done, total));
    terminal.err().flush();
  }

  @Override
  public void close() {
    if (shown) {
      terminal.err().println();
    }
  }
}
