package io.duroxide.cli;

import io.duroxide.model.ExecutionStatus;

/** The colours of statuses. */
final class Statuses {
  private Statuses() {}

  static Table.Cell cell(ExecutionStatus status) {
    return new Table.Cell(ink(status), status.stored());
  }

  static Ink ink(ExecutionStatus status) {
    return switch (status) {
      case RUNNING, CONTINUED_AS_NEW -> Ink.YELLOW;
      case COMPLETED -> Ink.GREEN;
      case FAILED -> Ink.RED;
    };
  }
}
