package io.duroxide.runtime;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has to hear of the end of an execution whose own history cannot tell: the store knows its
 * parent and its children.
 */
final class Relatives {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  private Relatives() {}

  /** What to send; nothing if the store offers no management or does not answer. */
  static List<WorkItem> notices(
      Provider provider, ExecutionKey execution, EventKind.OrchestrationFailed failure) {
    try {
      return provider
          .management()
          .map(admin -> notices(admin, execution, failure))
          .orElse(List.of());
    } catch (ProviderException e) {
      LOG.atWarn()
          .addKeyValue("instance_id", execution.instance())
          .addKeyValue("error", e.getMessage())
          .log("parent and children of an unreadable instance cannot be told");
      return List.of();
    }
  }

  private static List<WorkItem> notices(
      ProviderAdmin admin, ExecutionKey execution, EventKind.OrchestrationFailed failure) {
    List<WorkItem> notices = new ArrayList<>();
    ParentLink parent = admin.instanceInfo(execution.instance()).parent();
    if (parent != null) {
      WorkItem notice = ParentNotice.of(parent, failure);
      if (notice != null) {
        notices.add(notice);
      }
    }
    for (String id : admin.listChildren(execution.instance())) {
      InstanceInfo child = admin.instanceInfo(id);
      if (!child.isFinished()) {
        notices.add(new WorkItem.CancelInstance(id, Reasons.PARENT_FAILED, child.parent()));
      }
    }
    return notices;
  }
}
