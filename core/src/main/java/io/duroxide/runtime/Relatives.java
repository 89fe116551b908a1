package io.duroxide.runtime;

import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who has to hear of the end of an execution whose own history cannot tell: the store knows its
 * parent and its children, the batch knows who asked for it in vain.
 *
 * <p>A store without management knows nobody, and a relative that it refuses to tell of is left
 * out. An error that may pass is thrown, so that nobody is forgotten in an outage.
 */
final class Relatives {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  private final Provider provider;
  private final OrchestrationItem item;
  private final @Nullable ParentLink parent;

  Relatives(Provider provider, OrchestrationItem item) {
    this.provider = provider;
    this.item = item;
    this.parent =
        ask(admin -> admin.instanceInfo(item.instance())).map(InstanceInfo::parent).orElse(null);
  }

  /** What to send with the end. */
  List<WorkItem> notices(EventKind.OrchestrationFailed end) {
    List<WorkItem> notices = new ArrayList<>();
    if (parent != null) {
      Optional.ofNullable(ParentNotice.of(parent, end)).ifPresent(notices::add);
    }
    ask(admin -> admin.listChildren(item.instance())).stream()
        .flatMap(List::stream)
        .flatMap(child -> cancel(child).stream())
        .forEach(notices::add);
    notices.addAll(Collisions.answers(starts(), parent, null));
    return notices;
  }

  /** What to send when the end is known already. */
  List<WorkItem> answers(EventKind.OrchestrationFailed end) {
    return Collisions.answers(starts(), parent, end);
  }

  private List<WorkItem.StartOrchestration> starts() {
    return item.messages().items().stream()
        .filter(WorkItem.StartOrchestration.class::isInstance)
        .map(WorkItem.StartOrchestration.class::cast)
        .toList();
  }

  private Optional<WorkItem> cancel(String id) {
    return ask(admin -> admin.instanceInfo(id))
        .filter(child -> !child.isFinished())
        .map(child -> new WorkItem.CancelInstance(id, Reasons.PARENT_FAILED, child.parent()));
  }

  private <T> Optional<T> ask(Function<ProviderAdmin, T> question) {
    try {
      return provider.management().map(question);
    } catch (ProviderException e) {
      if (e.retryable()) {
        throw e;
      }
      LOG.atWarn()
          .addKeyValue("instance_id", item.instance())
          .addKeyValue("error", e.getMessage())
          .log("a relative of an unreadable instance cannot be told of its end");
      return Optional.empty();
    }
  }
}
