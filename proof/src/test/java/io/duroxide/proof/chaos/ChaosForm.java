package io.duroxide.proof.chaos;

import io.duroxide.proof.program.ProgramGenerator;
import java.util.Map;

/** The runs that the lane consists of. */
enum ChaosForm {
  /** A file, three nodes and a client that are killed, stopped and closed. */
  FILE,
  /** The same on a server, which ends connections now and then. */
  SERVER,
  /** Behind proxies that cut, freeze and delay, on a server that crashes. */
  PROXIED,
  /** A file on a disk that is full for a while, and nodes without heap. */
  SHORTAGE;

  /** What the entities of a run on a file are told, at least. */
  static final int OPERATIONS = 2_000;

  /** How many entities of a seed get that many commands. */
  private static int entities(long seed) {
    ProgramGenerator generator = new ProgramGenerator(seed);
    int entities = 0;
    for (int operations = 0; operations < OPERATIONS; entities++) {
      operations +=
          generator.entity(entities).commands().stream()
              .mapToInt(commands -> commands.size())
              .sum();
    }
    return entities;
  }

  ChaosSettings settings(long seed) {
    return switch (this) {
      case FILE ->
          new ChaosSettings(
              seed,
              StoreKind.SQLITE,
              3,
              1,
              ChaosSettings.Load.of(205, entities(seed), 20, 8_000),
              Map.of(
                  FaultKind.KILL,
                  15,
                  FaultKind.KILL_CLIENT,
                  1,
                  FaultKind.PAUSE,
                  2,
                  FaultKind.STANDSTILL,
                  1,
                  FaultKind.STOP,
                  2));
      case SERVER ->
          new ChaosSettings(
              seed,
              StoreKind.POSTGRES,
              3,
              1,
              ChaosSettings.Load.of(155, 8, 20, 8_000),
              Map.of(
                  FaultKind.KILL,
                  15,
                  FaultKind.KILL_CLIENT,
                  1,
                  FaultKind.PAUSE,
                  2,
                  FaultKind.STOP,
                  1,
                  FaultKind.TERMINATE,
                  3));
      case PROXIED ->
          new ChaosSettings(
              seed,
              StoreKind.PROXIED,
              2,
              1,
              ChaosSettings.Load.of(55, 8, 5, 8_000),
              Map.of(
                  FaultKind.CUT, 55, FaultKind.FREEZE, 2, FaultKind.DELAY, 2, FaultKind.CRASH, 1));
      case SHORTAGE ->
          new ChaosSettings(
              seed,
              StoreKind.SQLITE,
              2,
              2,
              ChaosSettings.Load.of(50, 8, 5, 5_000),
              Map.of(FaultKind.DISK_FULL, 1, FaultKind.HEAP, 3));
    };
  }
}
