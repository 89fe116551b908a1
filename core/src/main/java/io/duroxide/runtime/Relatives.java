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
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has to hear of the end of an execution whose own history cannot tell: the store knows its
 * parent and its children.
 */
final class Relatives {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  private final ProviderAdmin admin;
  private final String instance;

  private Relatives(ProviderAdmin admin, String instance) {
    this.admin = admin;
    this.instance = instance;
  }

  /**
   * What to send; nothing if the store offers no management. A relative that the store refuses to
   * tell of is left out.
   *
   * @throws ProviderException if the store may answer another time
   */
  static List<WorkItem> notices(
      Provider provider, ExecutionKey execution, EventKind.OrchestrationFailed failure) {
    return provider
        .management()
        .map(admin -> new Relatives(admin, execution.instance()).notices(failure))
        .orElse(List.of());
  }

  private List<WorkItem> notices(EventKind.OrchestrationFailed failure) {
    List<WorkItem> notices = new ArrayList<>();
    parent().map(parent -> ParentNotice.of(parent, failure)).ifPresent(notices::add);
    for (String child : children()) {
      cancel(child).ifPresent(notices::add);
    }
    return notices;
  }

  private Optional<ParentLink> parent() {
    return ask(() -> admin.instanceInfo(instance)).map(InstanceInfo::parent);
  }

  private List<String> children() {
    return ask(() -> admin.listChildren(instance)).orElse(List.of());
  }

  private Optional<WorkItem> cancel(String id) {
    return ask(() -> admin.instanceInfo(id))
        .filter(child -> !child.isFinished())
        .map(child -> new WorkItem.CancelInstance(id, Reasons.PARENT_FAILED, child.parent()));
  }

  private <T> Optional<T> ask(Supplier<T> question) {
    try {
      return Optional.of(question.get());
    } catch (ProviderException e) {
      if (e.retryable()) {
        throw e;
      }
      LOG.atWarn()
          .addKeyValue("instance_id", instance)
          .addKeyValue("error", e.getMessage())
          .log("a relative of an unreadable instance cannot be told of its end");
      return Optional.empty();
    }
  }
}
