package io.duroxide.api;

import io.duroxide.model.Retention;
import io.duroxide.model.Semver;
import io.duroxide.model.TextLimit;
import org.jspecify.annotations.Nullable;

/**
 * How an orchestration continues as new. Meant for static import: {@code prune(keepLast(3))}.
 *
 * @param version the exact version of the next execution, without its build label; null lets the
 *     registry choose
 * @param prune which past executions to keep, in the same step as the next one begins and counting
 *     that one; null leaves it to the policies of instance, registration and runtime
 */
public record ContinueOptions(@Nullable String version, @Nullable Retention prune) {
  private static final ContinueOptions NONE = new ContinueOptions(null, null);

  public ContinueOptions {
    version = version == null ? null : Semver.parse(TextLimit.VERSION.check(version)).toString();
  }

  /** Version by policy. */
  public static ContinueOptions defaults() {
    return NONE;
  }

  /** Exactly this version. */
  public static ContinueOptions version(String version) {
    return NONE.withVersion(version);
  }

  /** Pruning everything that {@code retention} does not keep. */
  public static ContinueOptions prune(Retention retention) {
    return NONE.withPrune(retention);
  }

  public ContinueOptions withVersion(String newVersion) {
    return new ContinueOptions(newVersion, prune);
  }

  public ContinueOptions withPrune(Retention retention) {
    return new ContinueOptions(version, retention);
  }
}
