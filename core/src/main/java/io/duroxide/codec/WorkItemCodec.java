package io.duroxide.codec;

import io.duroxide.model.WorkItem;

/**
 * Turns work items into stored JSON and back.
 *
 * <p>What was encoded decodes to an equal item, except that instants keep milliseconds only and
 * saturate at the range of a long. Stateless and thread-safe.
 */
public final class WorkItemCodec {
  private WorkItemCodec() {}

  /** The JSON object, on one line, that stores {@code item}. */
  public static String encode(WorkItem item) {
    return WorkItemWriter.write(item);
  }

  /**
   * The work item that {@code json} stores. Unknown fields are skipped.
   *
   * @throws DecodeException if it is no JSON object, has an unknown type, or lacks a field
   */
  public static WorkItem decode(String json) {
    return WorkItemReader.read(FieldParser.parse("work item", json));
  }
}
