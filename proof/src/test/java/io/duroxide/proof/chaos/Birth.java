package io.duroxide.proof.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * What a process of a run is told on its command line.
 *
 * @param address of the store
 * @param slot which process it is, or replaces
 * @param name different for each process of the run
 * @param beganAt when the run began
 */
record Birth(
    RunFolder folder, String address, int slot, String name, OptionSet options, long beganAt) {

  List<String> arguments() {
    return List.of(
        folder.path().toString(),
        address,
        Integer.toString(slot),
        name,
        options.name(),
        Long.toString(beganAt));
  }

  static Birth of(String[] arguments) {
    return new Birth(
        new RunFolder(Path.of(arguments[0])),
        arguments[1],
        Integer.parseInt(arguments[2]),
        arguments[3],
        OptionSet.valueOf(arguments[4]),
        Long.parseLong(arguments[5]));
  }
}
