package io.duroxide.cli;

import io.duroxide.provider.InstanceInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An instance and its descendants, drawn as a tree. */
final class FamilyTree {
  private final InstanceInfo root;
  private final Map<String, List<InstanceInfo>> children = new HashMap<>();

  /**
   * A tree of these members.
   *
   * @param members the descendants, and the root among them or not
   */
  FamilyTree(InstanceInfo root, List<InstanceInfo> members) {
    this.root = root;
    for (InstanceInfo member : members.reversed()) {
      String parent = member.parentInstance();
      if (parent != null && !member.instance().equals(root.instance())) {
        children.computeIfAbsent(parent, none -> new ArrayList<>()).add(member);
      }
    }
  }

  boolean isRootOnly() {
    return children.isEmpty();
  }

  void print(Terminal terminal) {
    print(terminal, root, "", "");
  }

  private void print(Terminal terminal, InstanceInfo node, String head, String indent) {
    terminal.line(
        "%s%s  %s  %s"
            .formatted(
                head,
                Shown.text(node.instance()),
                Shown.text(node.orchestration().name()),
                terminal.paint(Statuses.ink(node.status()), node.status().stored())));
    List<InstanceInfo> own = children.getOrDefault(node.instance(), List.of());
    for (int i = 0; i < own.size(); i++) {
      boolean last = i == own.size() - 1;
      print(terminal, own.get(i), indent + (last ? "└─ " : "├─ "), indent + (last ? "   " : "│  "));
    }
  }

  ObjectNode form() {
    return form(root);
  }

  private ObjectNode form(InstanceInfo node) {
    ArrayNode own = Forms.array();
    children.getOrDefault(node.instance(), List.of()).forEach(child -> own.add(form(child)));
    ObjectNode form =
        Forms.object()
            .put("instance", node.instance())
            .put("orchestration", node.orchestration().name())
            .put("status", node.status().stored());
    form.set("children", own);
    return form;
  }
}
