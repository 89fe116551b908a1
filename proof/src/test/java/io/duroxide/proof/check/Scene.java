package io.duroxide.proof.check;

import io.duroxide.proof.program.EntityPlan;
import io.duroxide.proof.program.Program;
import io.duroxide.provider.Provider;
import java.nio.file.Path;
import java.util.List;

/**
 * What a run hands over to be checked.
 *
 * @param address of the store's database, for the driver
 * @param programs as they were to be started, each under its name
 * @param entries of all ledgers
 * @param logs the folder with the logs of all processes
 */
public record Scene(
    Provider store,
    String address,
    List<Program> programs,
    List<EntityPlan> entities,
    List<Entry> entries,
    Path logs,
    RunFacts facts) {}
