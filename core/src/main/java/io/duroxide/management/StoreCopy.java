package io.duroxide.management;

import io.duroxide.provider.NodeInfo;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.QueueDepths;
import java.util.List;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies everything that one store holds into another, and compares both afterwards.
 *
 * <p>Each instance is written as a whole: its executions with all events, values, custom status,
 * and what is queued for it, with its place in the queue and its attempts. Locks and session leases
 * are not carried over. Nothing is taken from the source, and nothing in the target is replaced: an
 * id that is there with other content is reported as a difference. So a copy that was interrupted
 * is simply repeated. Thread-safe.
 */
public final class StoreCopy {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.management");

  private final ProviderAdmin source;
  private final ProviderAdmin target;

  private StoreCopy(ProviderAdmin source, ProviderAdmin target) {
    this.source = source;
    this.target = target;
  }

  /**
   * A copy that has not begun.
   *
   * @throws ManagementException.NotAvailable if one of the stores offers no management operations
   */
  public static StoreCopy between(Provider source, Provider target) {
    return new StoreCopy(Management.adminOf(source), Management.adminOf(target));
  }

  /**
   * Copies, and then compares.
   *
   * @param force {@link Force#YES} copies also while nodes live or something is locked; what
   *     changes meanwhile is reported as a difference
   * @throws ManagementException.StoreInUse if one of the stores is in use, unless forced
   * @throws ProviderException if one of the stores cannot be copied or does not answer
   */
  public CopyReport run(Force force) {
    return run(force, () -> {});
  }

  /**
   * As {@link #run(Force)}.
   *
   * @param step called twice for each instance: after it was copied, and after it was compared
   */
  public CopyReport run(Force force, Runnable step) {
    if (force == Force.NO) {
      checkUnused("source", source);
      checkUnused("target", target);
    }
    CopyReport report = new CopyRun(source.transfer(), target.transfer(), step).run();
    LOG.atInfo()
        .addKeyValue("copied", report.copied())
        .addKeyValue("already_there", report.alreadyThere())
        .addKeyValue("differences", report.differences().size())
        .log("store copied");
    return report;
  }

  private static void checkUnused(String role, ProviderAdmin store) {
    List<NodeInfo> nodes = store.nodes();
    if (!nodes.isEmpty()) {
      throw new ManagementException.StoreInUse(
          "nodes work on the %s: %s; stop them, or force the copy"
              .formatted(
                  role,
                  nodes.stream()
                      .map(node -> node.id() + " (counts as live until " + node.until() + ")")
                      .collect(Collectors.joining(", "))));
    }
    QueueDepths depths = store.queueDepths();
    long locked = depths.orchestrator().locked() + depths.worker().locked();
    if (locked > 0) {
      throw new ManagementException.StoreInUse(
          ("%d messages and activities of the %s are locked;"
                  + " wait until whoever has them is done or their locks end, or force the copy")
              .formatted(locked, role));
    }
  }
}
