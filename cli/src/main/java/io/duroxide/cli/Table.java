package io.duroxide.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Columns under headings, as wide as their widest cell. */
final class Table {
  private static final String GAP = "  ";

  /** A cell and how it stands out. */
  record Cell(Ink ink, String text) {
    static Cell of(String text) {
      return new Cell(Ink.PLAIN, text);
    }

    static Cell of(long number) {
      return of(Long.toString(number));
    }
  }

  private final List<List<Cell>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings).stream().map(text -> new Cell(Ink.BOLD, text)).toList());
  }

  void row(Cell... cells) {
    rows.add(List.of(cells));
  }

  void print(Terminal terminal) {
    int[] widths = new int[rows.getFirst().size()];
    for (List<Cell> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], width(row.get(i)));
      }
    }
    for (List<Cell> row : rows) {
      terminal.line(line(terminal, row, widths));
    }
  }

  /** Spaces stand outside of colours, and none at the end of a line. */
  private static String line(Terminal terminal, List<Cell> row, int[] widths) {
    List<String> padded = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      Cell cell = row.get(i);
      String space = " ".repeat(widths[i] - width(cell));
      padded.add(terminal.paint(cell.ink(), cell.text()) + space);
    }
    return padded.stream().collect(Collectors.joining(GAP)).stripTrailing();
  }

  private static int width(Cell cell) {
    return cell.text().codePointCount(0, cell.text().length());
  }
}
