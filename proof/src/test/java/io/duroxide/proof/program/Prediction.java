package io.duroxide.proof.program;

import java.util.SortedMap;

/**
 * What must be in the store when a program has ended.
 *
 * @param instances by id: the program's own instance, its named children, what they started
 * @param script what clients have to do
 */
public record Prediction(SortedMap<String, InstancePrediction> instances, ClientScript script) {}
