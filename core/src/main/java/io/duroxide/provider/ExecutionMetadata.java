package io.duroxide.provider;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Semver;
import org.jspecify.annotations.Nullable;

/**
 * What the runtime tells the store about an execution; stored blindly. Every absent field leaves
 * what is stored as it is.
 *
 * @param status the new status
 * @param output stored together with the status: result, error text or next input
 * @param orchestrationName with the version: creates the instance if missing, else overwrites
 * @param orchestrationVersion see {@code orchestrationName}
 * @param parent stored when the instance is created
 * @param pinnedVersion overwrites the pin of this execution; its label is dropped
 * @param carryForwardCount number of messages carried into this execution
 */
public record ExecutionMetadata(
    @Nullable ExecutionStatus status,
    @Nullable String output,
    @Nullable String orchestrationName,
    @Nullable String orchestrationVersion,
    @Nullable ParentLink parent,
    @Nullable Semver pinnedVersion,
    @Nullable Integer carryForwardCount) {
  public ExecutionMetadata {
    pinnedVersion = pinnedVersion == null ? null : pinnedVersion.release();
  }

  /** Changes nothing. */
  public static final ExecutionMetadata NONE =
      new ExecutionMetadata(null, null, null, null, null, null, null);

  /** Name and version of a new instance. */
  public static ExecutionMetadata started(String name, String version) {
    return new ExecutionMetadata(null, null, name, version, null, null, null);
  }

  public ExecutionMetadata withStatus(ExecutionStatus newStatus, @Nullable String newOutput) {
    return new ExecutionMetadata(
        newStatus,
        newOutput,
        orchestrationName,
        orchestrationVersion,
        parent,
        pinnedVersion,
        carryForwardCount);
  }

  public ExecutionMetadata withParent(@Nullable ParentLink newParent) {
    return new ExecutionMetadata(
        status,
        output,
        orchestrationName,
        orchestrationVersion,
        newParent,
        pinnedVersion,
        carryForwardCount);
  }

  public ExecutionMetadata withPinnedVersion(@Nullable Semver newPin) {
    return new ExecutionMetadata(
        status, output, orchestrationName, orchestrationVersion, parent, newPin, carryForwardCount);
  }

  public ExecutionMetadata withCarryForwardCount(int count) {
    return new ExecutionMetadata(
        status, output, orchestrationName, orchestrationVersion, parent, pinnedVersion, count);
  }
}
