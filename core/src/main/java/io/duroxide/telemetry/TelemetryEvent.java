package io.duroxide.telemetry;

/** Something that happened in a runtime or a client and is worth measuring. */
public sealed interface TelemetryEvent
    permits ExecutionEvent, ActivityEvent, NodeEvent, StorageEvent, ClientCall {}
