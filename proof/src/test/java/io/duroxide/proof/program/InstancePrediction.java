package io.duroxide.proof.program;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What must be in the store of one instance.
 *
 * @param ending how it ends
 * @param values its values at the end
 * @param status its custom status at the end; null for none
 * @param executions how many executions it has had
 * @param reads the messages of each mailbox that it read, in order
 * @param certain whether it exists for certain: a child that was given up in the turn that asked
 *     for it is never started
 */
public record InstancePrediction(
    Ending ending,
    SortedMap<String, String> values,
    @Nullable String status,
    int executions,
    SortedMap<String, List<String>> reads,
    boolean certain) {}
