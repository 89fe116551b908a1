package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.MailboxRules;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All instances that had a commit. Guarded by the gate. */
final class Instances {
  private final Map<String, Instance> byId = new HashMap<>();
  private final Map<String, Set<String>> children = new HashMap<>();

  /** Whether a message for {@code id} has a history to go to. */
  boolean isKnown(String id) {
    return byId.containsKey(id);
  }

  /** Anything that was committed for {@code id}. */
  Optional<Instance> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** How much of the mailboxes of {@code id} may be delivered. */
  MailboxRules mailboxes(String id) {
    return find(id).map(Instance::mailboxes).orElse(MailboxRules.FIRST);
  }

  /** The instance as clients see it. */
  Optional<Instance> existing(String id) {
    return find(id).filter(Instance::exists);
  }

  Optional<Execution> execution(ExecutionKey key) {
    return find(key.instance())
        .flatMap(instance -> Optional.ofNullable(instance.executions().get(key.executionId())));
  }

  Instance findOrNew(String id, Instant now) {
    return byId.computeIfAbsent(id, any -> new Instance(id, now));
  }

  /** All instances that clients see, in no order. */
  Collection<Instance> existing() {
    return byId.values().stream().filter(Instance::exists).toList();
  }

  Collection<Instance> all() {
    return byId.values();
  }

  /** Notes the parent of an instance that a commit has just created. */
  void adopt(Instance child) {
    if (child.parent() != null) {
      children.computeIfAbsent(child.parent(), any -> new LinkedHashSet<>()).add(child.id());
    }
  }

  List<String> childrenOf(String id) {
    return List.copyOf(children.getOrDefault(id, Set.of()));
  }

  void remove(Instance instance) {
    byId.remove(instance.id());
    disown(instance);
  }

  /** Takes an instance from its parent. */
  void disown(Instance instance) {
    String parent = instance.parent();
    Set<String> siblings = parent == null ? null : children.get(parent);
    if (parent != null && siblings != null) {
      siblings.remove(instance.id());
      if (siblings.isEmpty()) {
        children.remove(parent);
      }
    }
  }
}
